package dev.loopkeeper.manifest;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Optional;

/**
 * Describes what contains an agent's processes, and what happens to them without their runtime or node.
 *
 * @param sandbox what they may touch; absent: whatever Loopkeeper's user may
 */
public record LossSpec(
        Containment containment,
        OnRuntimeDeath onRuntimeDeath,
        OnNodeLoss onNodeLoss,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<SandboxSpec> sandbox) {
    /** Processes in a session, kept when the runtime dies; a lost node pauses the run. */
    public static final LossSpec DEFAULTS = of(Containment.SESSION, OnRuntimeDeath.KEEP, OnNodeLoss.PAUSE);

    /** Returns a copy with this sandbox. */
    public LossSpec withSandbox(Optional<SandboxSpec> other) {
        return new LossSpec(containment, onRuntimeDeath, onNodeLoss, other);
    }

    /** Without a sandbox. */
    public static LossSpec of(Containment containment, OnRuntimeDeath onRuntimeDeath, OnNodeLoss onNodeLoss) {
        return new LossSpec(containment, onRuntimeDeath, onNodeLoss, Optional.empty());
    }
}
