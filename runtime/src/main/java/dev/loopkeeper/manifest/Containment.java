package dev.loopkeeper.manifest;

import com.fasterxml.jackson.annotation.JsonValue;

/** What keeps a step's processes together. */
public enum Containment {
    /** An own session and process group, and the nonce in the environment. */
    SESSION("session"),
    /** An own PID namespace: nothing can escape. */
    NAMESPACE("namespace");

    private final String wire;

    Containment(String wire) {
        this.wire = wire;
    }

    /** The spelling in files and messages. */
    @JsonValue
    public String wire() {
        return wire;
    }
}
