package dev.loopkeeper.manifest;

import com.fasterxml.jackson.annotation.JsonValue;

/** What a STALLED iteration does to its loop. */
public enum OnStalled {
    /** Nothing. */
    CONTINUE("continue"),
    /** The run pauses. */
    PAUSE("pause"),
    /** The execution ends with no progress. */
    STOP("stop");

    private final String wire;

    OnStalled(String wire) {
        this.wire = wire;
    }

    /** The spelling in files and messages. */
    @JsonValue
    public String wire() {
        return wire;
    }
}
