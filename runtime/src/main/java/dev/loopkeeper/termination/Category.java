package dev.loopkeeper.termination;

import dev.loopkeeper.json.WireName;

/** What kind of ending it was, and so how a run's status and a retry follow from it. */
public enum Category implements WireName {
    /** The work is done. */
    SUCCESS("success"),
    /** A limit was reached; more of something lets it go on. */
    CAPACITY("capacity"),
    /** The same again may succeed. */
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
