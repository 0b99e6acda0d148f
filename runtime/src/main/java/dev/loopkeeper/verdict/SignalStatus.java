package dev.loopkeeper.verdict;

import com.fasterxml.jackson.annotation.JsonValue;

/** How far a step got. */
public enum SignalStatus {
    /** To its end. */
    COMPLETED("completed"),
    /** Not all of it. */
    PARTIAL("partial"),
    /** It could not go on. */
    BLOCKED("blocked");

    private final String wire;

    SignalStatus(String wire) {
        this.wire = wire;
    }

    /** The spelling in files and messages. */
    @JsonValue
    public String wire() {
        return wire;
    }
}
