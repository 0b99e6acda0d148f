package dev.loopkeeper.termination;

import dev.loopkeeper.json.WireName;

/** The category of an ending, which determines the run's status and whether a retry makes sense. */
public enum Category implements WireName {
    /** The work is done. */
    SUCCESS("success"),
    /** The run reached a limit; it can continue with a higher one. */
    CAPACITY("capacity"),
    /** A retry may succeed. */
    RETRYABLE("retryable"),
    /** A person must act first. */
    FATAL("fatal");

    private final String wire;

    Category(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
