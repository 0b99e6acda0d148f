package dev.loopkeeper.verdict;

import dev.loopkeeper.json.WireName;

/** What an iteration achieved. */
public enum Determination implements WireName {
    /** The work is done. */
    SUCCESS("SUCCESS"),
    /** A part is done; the loop goes on. */
    MILESTONE_SUCCESS("MILESTONE_SUCCESS"),
    /** It moved. */
    PROGRESS("PROGRESS"),
    /** It did not move. */
    STALLED("STALLED"),
    /** Something a person should look at. */
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
