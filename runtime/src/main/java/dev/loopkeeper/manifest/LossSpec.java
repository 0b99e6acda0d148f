package dev.loopkeeper.manifest;

/** Describes what contains an agent's processes, and what happens to them without their runtime or node. */
public record LossSpec(Containment containment, OnRuntimeDeath onRuntimeDeath, OnNodeLoss onNodeLoss) {
    /** Processes in a session, kept when the runtime dies; a lost node pauses the run. */
    public static final LossSpec DEFAULTS = new LossSpec(Containment.SESSION, OnRuntimeDeath.KEEP, OnNodeLoss.PAUSE);
}
