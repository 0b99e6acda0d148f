package dev.loopkeeper.step;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.CommandLine;
import dev.loopkeeper.manifest.ErrorRuleSpec;
import io.soabase.recordbuilder.core.RecordBuilder;
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
@RecordBuilder
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
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<EarlierSession> continues)
        implements StepSpecBuilder.With {
    /** Returns a copy with another workspace. */
    public StepSpec in(String folder) {
        return withWorkspace(folder);
    }

    /** Returns a copy with this command and environment of the agent. */
    public StepSpec running(CommandLine command, Map<String, String> environment) {
        return withProgram(program.running(command, environment));
    }

    /** Returns a copy for a launch on this node or machine: a session stored elsewhere is not continued. */
    public StepSpec launchedAt(String place) {
        Optional<EarlierSession> here =
                continues.filter(session -> session.place().equals(place));
        AgentSpec launched = here.map(session -> program.resuming(session.id())).orElse(program);
        return withProgram(launched).withContinues(here);
    }
}
