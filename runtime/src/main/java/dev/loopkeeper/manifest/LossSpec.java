package dev.loopkeeper.manifest;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;

/**
 * Describes what contains an agent's processes, and what happens to them without their runtime or node.
 *
 * @param sandbox what they may touch; absent: whatever Loopkeeper's user may
 * @param protect globs of files, relative to the workspace, that they must not change
 */
@RecordBuilder
public record LossSpec(
        Containment containment,
        OnRuntimeDeath onRuntimeDeath,
        OnNodeLoss onNodeLoss,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<SandboxSpec> sandbox,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> protect)
        implements LossSpecBuilder.With {
    /** Processes in a session, kept when the runtime dies; a lost node pauses the run. */
    public static final LossSpec DEFAULTS = of(Containment.SESSION, OnRuntimeDeath.KEEP, OnNodeLoss.PAUSE);

    /** Without a sandbox and protected files. */
    public static LossSpec of(Containment containment, OnRuntimeDeath onRuntimeDeath, OnNodeLoss onNodeLoss) {
        return new LossSpec(containment, onRuntimeDeath, onNodeLoss, Optional.empty(), List.of());
    }
}
