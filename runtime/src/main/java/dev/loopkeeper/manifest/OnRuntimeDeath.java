package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** Determines what happens to an agent when its runtime dies. */
public enum OnRuntimeDeath implements WireName {
    /** The agent continues, and the next start adopts it. */
    KEEP,
    /** The agent ends with the runtime. */
    KILL;
}
