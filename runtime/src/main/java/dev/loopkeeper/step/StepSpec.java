package dev.loopkeeper.step;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.CommandLine;
import dev.loopkeeper.manifest.ErrorRuleSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Holds everything that the launch of a step requires.
 *
 * @param stepId unique in the run and safe as a folder name, e.g. {@code build.3.dev.1}
 * @param nonce unique to this launch; travels in {@code LOOPKEEPER_NONCE} and marks every process of the step
 * @param iteration counted within the run from 1; absent outside loops
 * @param item id of the work item; absent outside {@code each} phases
 * @param attempt from 1
 * @param agent name of the agent, the step's role
 * @param workspace absolute path of the working directory
 * @param baseDir absolute path of the manifest's folder, against which the prompt is resolved
 * @param env the manifest's environment; variables of the agent and the runtime override it
 * @param vars values for prompt templates; an item's vars already override the run's
 * @param feedback the operator's last feedback; empty without feedback
 * @param expectOutput the text whose presence in stdout the step reports
 * @param errors the manifest's own rows of the error table
 * @param reasons the manifest's own reason codes
 * @param worktree replaces the workspace; absent without isolation
 * @param context earlier results for the agent
 * @param continues the session to continue; absent: the step begins one
 */
public record StepSpec(
        String runId,
        int execution,
        String stepId,
        String nonce,
        String phase,
        Optional<Integer> iteration,
        Optional<String> item,
        int attempt,
        String agent,
        AgentSpec program,
        String workspace,
        String baseDir,
        Map<String, String> env,
        Map<String, String> vars,
        String feedback,
        Optional<String> expectOutput,
        List<ErrorRuleSpec> errors,
        List<String> reasons,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<StepWorktree> worktree,
        LaunchContext context,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<EarlierSession> continues) {

    /** A step without the manifest's own error rows and reasons. */
    public StepSpec(
            String runId,
            int execution,
            String stepId,
            String nonce,
            String phase,
            Optional<Integer> iteration,
            Optional<String> item,
            int attempt,
            String agent,
            AgentSpec program,
            String workspace,
            String baseDir,
            Map<String, String> env,
            Map<String, String> vars,
            String feedback,
            Optional<String> expectOutput) {
        this(
                runId,
                execution,
                stepId,
                nonce,
                phase,
                iteration,
                item,
                attempt,
                agent,
                program,
                workspace,
                baseDir,
                env,
                vars,
                feedback,
                expectOutput,
                List.of(),
                List.of(),
                Optional.empty(),
                LaunchContext.nothing(runId, stepId, phase, iteration, item, attempt, agent),
                Optional.empty());
    }

    /** Returns a copy with another workspace. */
    public StepSpec in(String folder) {
        return with(program, folder, context, continues);
    }

    /** Returns a copy with earlier results for the agent. */
    public StepSpec knowing(LaunchContext earlier) {
        return with(program, workspace, earlier, continues);
    }

    /** Returns a copy with this command and environment of the agent. */
    public StepSpec running(CommandLine command, Map<String, String> environment) {
        return with(program.running(command, environment), workspace, context, continues);
    }

    /** Returns a copy for a launch on this node or machine: a session stored elsewhere is not continued. */
    public StepSpec launchedAt(String place) {
        Optional<EarlierSession> here =
                continues.filter(session -> session.place().equals(place));
        AgentSpec launched = here.map(session -> program.resuming(session.id())).orElse(program);
        return with(launched, workspace, context, here);
    }

    private StepSpec with(AgentSpec launched, String folder, LaunchContext earlier, Optional<EarlierSession> session) {
        return new StepSpec(
                runId,
                execution,
                stepId,
                nonce,
                phase,
                iteration,
                item,
                attempt,
                agent,
                launched,
                folder,
                baseDir,
                env,
                vars,
                feedback,
                expectOutput,
                errors,
                reasons,
                worktree,
                earlier,
                session);
    }
}
