package dev.loopkeeper.run;

import dev.loopkeeper.json.WireName;

/** Why a step is launched again by itself. */
public enum RetryReason implements WireName {
    /** An error that passes by itself. */
    ERROR("error"),
    /** It left no valid signal. */
    SIGNAL("signal"),
    /** The context window of its agent was full. */
    OVERFLOW("overflow"),
    /** The session that it was to go on with is not there. */
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
