package dev.loopkeeper.submit;

import dev.loopkeeper.contract.ClientEnvironment;
import java.util.Map;
import java.util.Optional;

/**
 * The changes of a submission to its manifest.
 *
 * @param workspace outranks the manifest's; for a file relative to the current folder, for a document absolute
 * @param vars outrank the manifest's, name by name
 * @param overrides path to YAML value, in the order of their application, e.g. {@code phases.build.loop.maxIterations}
 *     to {@code 5}; elements of lists by index ({@code phases[0]}) or by name or id ({@code phases.build})
 * @param environment of the agents; absent: that of the server
 * @param ofRun whether it is for a run that exists, so that the run's own branch is no obstacle
 */
public record SubmitOptions(
        Optional<String> workspace,
        Map<String, String> vars,
        Map<String, String> overrides,
        Optional<ClientEnvironment> environment,
        boolean ofRun) {
    /** The manifest as it is written. */
    public static final SubmitOptions NONE = new SubmitOptions(Optional.empty(), Map.of(), Map.of());

    /** Options for a new run. */
    public SubmitOptions(Optional<String> workspace, Map<String, String> vars, Map<String, String> overrides) {
        this(workspace, vars, overrides, Optional.empty(), false);
    }

    /** Returns the options for a run whose agents have this environment. */
    public SubmitOptions in(Optional<ClientEnvironment> agents) {
        return new SubmitOptions(workspace, vars, overrides, agents, ofRun);
    }

    /** The manifest as it is written, to replace that of a run which works in this workspace. */
    public static SubmitOptions ofRun(String workspace) {
        return new SubmitOptions(Optional.of(workspace), Map.of(), Map.of(), Optional.empty(), true);
    }
}
