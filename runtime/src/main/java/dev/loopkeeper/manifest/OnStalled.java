package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** What a STALLED iteration does to its loop. */
public enum OnStalled implements WireName {
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

    @Override
    public String wire() {
        return wire;
    }
}
