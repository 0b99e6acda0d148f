package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** What becomes of a prompt that names nothing of what came before its launch. */
public enum ContextMode implements WireName {
    /** It gets that appended, where there is something to say. */
    APPEND("append"),
    /** It stays as it is. */
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
