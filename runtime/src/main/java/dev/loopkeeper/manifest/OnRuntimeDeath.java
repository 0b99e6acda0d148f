package dev.loopkeeper.manifest;

import com.fasterxml.jackson.annotation.JsonValue;

/** What becomes of an agent whose runtime dies. */
public enum OnRuntimeDeath {
    /** It lives on and is adopted by the next start. */
    KEEP("keep"),
    /** It is ended with the runtime. */
    KILL("kill");

    private final String wire;

    OnRuntimeDeath(String wire) {
        this.wire = wire;
    }

    /** The spelling in files and messages. */
    @JsonValue
    public String wire() {
        return wire;
    }
}
