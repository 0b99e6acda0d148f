package dev.loopkeeper.step;

import com.fasterxml.jackson.annotation.JsonValue;

/** The broad cause of a step's early end. */
public enum ErrorCategory {
    /** The model's provider refused or failed. */
    PROVIDER("provider"),
    /** The hard limit passed. */
    TIMEOUT("timeout"),
    /** Nothing moved for too long. */
    IDLE("idle"),
    /** The way to the provider failed. */
    NETWORK("network"),
    /** An operator or a shutdown ended it. */
    ABORTED("aborted"),
    /** It could not be launched. */
    SESSION_FAILED("session-failed"),
    /** None of these. */
    UNKNOWN("unknown");

    private final String wire;

    ErrorCategory(String wire) {
        this.wire = wire;
    }

    /** The spelling in files and messages. */
    @JsonValue
    public String wire() {
        return wire;
    }
}
