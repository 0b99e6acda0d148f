package dev.loopkeeper.run;

import dev.loopkeeper.json.WireName;

/** The reason for an automatic retry of a step. */
public enum RetryReason implements WireName {
    /** A transient error. */
    ERROR("error"),
    /** The step left no valid signal. */
    SIGNAL("signal"),
    /** The agent's context window was full. */
    OVERFLOW("overflow"),
    /** The session to continue does not exist. */
    SESSION("session");

    private final String wire;

    RetryReason(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
