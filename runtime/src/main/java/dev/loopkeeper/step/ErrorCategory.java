package dev.loopkeeper.step;

import dev.loopkeeper.json.WireName;

/** The broad cause of a step's failure. */
public enum ErrorCategory implements WireName {
    /** The model's provider refused or failed. */
    PROVIDER("provider"),
    /** The step exceeded its time limit. */
    TIMEOUT("timeout"),
    /** The step exceeded its idle limit. */
    IDLE("idle"),
    /** The network failed between the agent and the provider. */
    NETWORK("network"),
    /** An operator or a shutdown stopped the step. */
    ABORTED("aborted"),
    /** The step could not be launched. */
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
