package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** What becomes of an agent whose runtime dies. */
public enum OnRuntimeDeath implements WireName {
    /** It lives on and is adopted by the next start. */
    KEEP("keep"),
    /** It is ended with the runtime. */
    KILL("kill");

    private final String wire;

    OnRuntimeDeath(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
