package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** Determines whether Loopkeeper appends earlier results to a prompt that does not name them. */
public enum ContextMode implements WireName {
    /** Appends them if there are any. */
    APPEND("append"),
    /** Leaves the prompt unchanged. */
    NONE("none");

    private final String wire;

    ContextMode(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
