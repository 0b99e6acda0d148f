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
 * @param execution of the run
 * @param nonce unique to the launch; travels in {@code LOOPKEEPER_NONCE} and marks every process of the step
 * @param trace its position in the trace of the execution
 * @param env the manifest's environment; variables of the agent and the runtime override it
 * @param vars values for prompt templates; an item's vars already override the run's
 * @param feedback the operator's last feedback; empty without feedback
 * @param context earlier results for the agent
 * @param continues the session to continue; absent: the step begins one
 * @param workspace absolute path of the working directory
 * @param baseDir absolute path of the manifest's folder, against which the prompt is resolved
 * @param worktree replaces the workspace; absent without isolation
 * @param expectOutput the text whose presence in stdout the step reports
 * @param errors the manifest's own rows of the error table
 * @param reasons the manifest's own reason codes
 * @param guard words before the agent's command that permit or refuse the launch; empty outside a cluster
 */
@RecordBuilder
public record StepSpec(
        StepIdentity identity,
        int execution,
        String nonce,
        TraceContext trace,
        AgentSpec agentSpec,
        Map<String, String> env,
        Map<String, String> vars,
        String feedback,
        LaunchContext context,
        Optional<EarlierSession> continues,
        String workspace,
        String baseDir,
        Optional<StepWorktree> worktree,
        Optional<String> expectOutput,
        List<ErrorRuleSpec> errors,
        List<String> reasons,
        List<String> guard)
        implements StepSpecBuilder.With {
    /** The run of the step. */
    public String runId() {
        return identity.runId();
    }

    /** The step's id in its run. */
    public String stepId() {
        return identity.stepId();
    }

    /** Returns a copy that is launched through this guard, with this environment of the agent. */
    public StepSpec guarded(List<String> words, Map<String, String> environment) {
        return withGuard(words)
                .withAgentSpec(agentSpec.running(agentSpec.program().command(), environment));
    }

    /** Returns a copy for a launch on this node or machine: a session stored elsewhere is not continued. */
    public StepSpec launchedAt(String host) {
        Optional<EarlierSession> here =
                continues.filter(session -> session.host().equals(host));
        AgentSpec launched =
                here.map(session -> agentSpec.resuming(session.id())).orElse(agentSpec);
        return withAgentSpec(launched).withContinues(here);
    }
}
