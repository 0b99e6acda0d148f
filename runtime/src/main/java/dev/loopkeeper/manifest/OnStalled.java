package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** Determines what a STALLED iteration does to its loop. */
public enum OnStalled implements WireName {
    /** Nothing. */
    CONTINUE("continue"),
    /** The run pauses. */
    PAUSE("pause"),
    /** The execution ends with {@code no-progress}. */
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
