package dev.loopkeeper.verdict;

import dev.loopkeeper.json.WireName;

/** The result of an iteration. */
public enum Determination implements WireName {
    /** The work is done. */
    SUCCESS("SUCCESS"),
    /** A part is done; the loop continues. */
    MILESTONE_SUCCESS("MILESTONE_SUCCESS"),
    /** The iteration made progress. */
    PROGRESS("PROGRESS"),
    /** The iteration made no progress. */
    STALLED("STALLED"),
    /** A person should review the iteration. */
    ANOMALY("ANOMALY");

    private final String wire;

    Determination(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
