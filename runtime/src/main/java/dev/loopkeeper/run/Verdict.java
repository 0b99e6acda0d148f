package dev.loopkeeper.run;

import dev.loopkeeper.json.WireName;

/** What an iteration came to. */
public enum Verdict implements WireName {
    /** The work is done. */
    SUCCESS("SUCCESS"),
    /** A part is done. */
    MILESTONE_SUCCESS("MILESTONE_SUCCESS"),
    /** It moved. */
    PROGRESS("PROGRESS"),
    /** It did not move. */
    STALLED("STALLED"),
    /** Something a person should look at. */
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
