package dev.loopkeeper.step;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.ErrorRuleSpec;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Holds everything that the launch of a step requires.
 *
 * @param launch marks this launch of the step
 * @param guard words before the agent's command that permit or refuse the launch; empty outside a cluster
 */
@RecordBuilder
public record StepSpec(
        StepIdentity identity,
        Launch launch,
        AgentSpec agentSpec,
        StepInput input,
        StepFolders folders,
        ResultRules rules,
        List<String> guard)
        implements StepSpecBuilder.With {
    /**
     * Marks a launch of a step.
     *
     * @param execution of the run
     * @param nonce unique to the launch; travels in {@code LOOPKEEPER_NONCE} and marks every process of the step
     * @param trace its position in the trace of the execution
     */
    public record Launch(int execution, String nonce, TraceContext trace) {}

    /**
     * How the result of a step is read.
     *
     * @param expectOutput the text whose presence in stdout the step reports
     * @param errors the manifest's own rows of the error table
     * @param reasons the manifest's own reason codes
     */
    public record ResultRules(Optional<String> expectOutput, List<ErrorRuleSpec> errors, List<String> reasons) {
        /** Only the built-in rules. */
        public static final ResultRules NONE = new ResultRules(Optional.empty(), List.of(), List.of());
    }

    /** The run of the step. */
    public String runId() {
        return identity.runId();
    }

    /** The step's id in its run. */
    public String stepId() {
        return identity.stepId();
    }

    /** Marks every process of the step. */
    public String nonce() {
        return launch.nonce();
    }

    /** Absolute path of the working directory. */
    public String workspace() {
        return folders.workspace();
    }

    /** Returns a copy with another workspace. */
    public StepSpec in(String folder) {
        return withFolders(folders.withWorkspace(folder));
    }

    /** Returns a copy that is launched through this guard, with this environment of the agent. */
    public StepSpec guarded(List<String> words, Map<String, String> environment) {
        return withGuard(words)
                .withAgentSpec(agentSpec.running(agentSpec.program().command(), environment));
    }

    /** Returns a copy for a launch on this node or machine: a session stored elsewhere is not continued. */
    public StepSpec launchedAt(String host) {
        Optional<EarlierSession> here =
                input.continues().filter(session -> session.host().equals(host));
        AgentSpec launched =
                here.map(session -> agentSpec.resuming(session.id())).orElse(agentSpec);
        return withAgentSpec(launched).withInput(input.withContinues(here));
    }
}
