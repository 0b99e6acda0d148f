package dev.loopkeeper.step;

import dev.loopkeeper.json.WireName;

/** The broad cause of a step's early end. */
public enum ErrorCategory implements WireName {
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

    @Override
    public String wire() {
        return wire;
    }
}
