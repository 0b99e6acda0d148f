package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** Determines what happens to an agent when its runtime dies. */
public enum OnRuntimeDeath implements WireName {
    /** The agent continues, and the next start adopts it. */
    KEEP("keep"),
    /** The agent ends with the runtime. */
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
