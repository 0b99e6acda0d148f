package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonValue;

/** What an iteration came to. */
public enum Verdict {
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

    /** The spelling in files and messages. */
    @JsonValue
    public String wire() {
        return wire;
    }
}
