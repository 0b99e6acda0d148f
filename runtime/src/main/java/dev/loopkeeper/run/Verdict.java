package dev.loopkeeper.run;

import dev.loopkeeper.json.WireName;

/** The verdict on an iteration. */
public enum Verdict implements WireName {
    /** The work is done. */
    SUCCESS("SUCCESS"),
    /** A part is done. */
    MILESTONE_SUCCESS("MILESTONE_SUCCESS"),
    /** The iteration made progress. */
    PROGRESS("PROGRESS"),
    /** The iteration made no progress. */
    STALLED("STALLED"),
    /** A person should review the iteration. */
    ANOMALY("ANOMALY"),
    /** A step of it failed. */
    FAILED("FAILED");

    private final String wire;

    Verdict(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
