package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** What keeps a step's processes together. */
public enum Containment implements WireName {
    /** An own session and process group, and the nonce in the environment. */
    SESSION("session"),
    /** An own PID namespace: nothing can escape. */
    NAMESPACE("namespace");

    private final String wire;

    Containment(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
