package dev.loopkeeper.manifest;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Describes what the processes of an agent may touch. Paths are relative to the workspace, absolute, or begin with
 * {@code ~/}.
 *
 * @param usual whether its temporary folder and the state folders of its program are writable too
 * @param write folders that are writable; {@code .} includes the git folders of the workspace
 * @param hide what cannot be read
 * @param network whether TCP is allowed
 * @param protect globs of what cannot be changed in writable folders
 * @param atLeast the level below which nothing is launched; absent in a manifest
 */
public record SandboxSpec(
        boolean usual,
        List<String> write,
        List<String> hide,
        boolean network,
        List<String> protect,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> atLeast) {
    /** The usual set, {@code sandbox: workspace}. */
    public static final SandboxSpec WORKSPACE = new SandboxSpec(true, List.of("."), List.of(), true, List.of());

    /** As a manifest declares it. */
    public SandboxSpec(boolean usual, List<String> write, List<String> hide, boolean network, List<String> protect) {
        this(usual, write, hide, network, protect, Optional.empty());
    }

    /** Returns a copy with this lowest level. */
    public SandboxSpec atLeast(Optional<String> level) {
        return new SandboxSpec(usual, write, hide, network, protect, level);
    }

    /** Returns what reads the same files, and can write and send nothing. */
    public SandboxSpec reading() {
        return new SandboxSpec(false, List.of(), hide, false, List.of());
    }

    /** The one of these that permits least: without network before others, then with the fewest folders. */
    public static Optional<SandboxSpec> narrowest(Stream<SandboxSpec> all) {
        return all.min(Comparator.comparing(SandboxSpec::network)
                .thenComparing(SandboxSpec::usual)
                .thenComparing(sandbox -> sandbox.write().size()));
    }
}
