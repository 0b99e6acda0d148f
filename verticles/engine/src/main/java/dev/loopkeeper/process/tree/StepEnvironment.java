package dev.loopkeeper.process.tree;

import dev.loopkeeper.manifest.TemplateNames;
import dev.loopkeeper.step.ContextText;
import dev.loopkeeper.step.EnvironmentText;
import dev.loopkeeper.step.LaunchContext;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.TraceContext;
import dev.loopkeeper.verdict.SignalStep;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Environment and prompt values of a step. */
public final class StepEnvironment {
    /** Marks all processes of a step. The launcher sets it, so that it does not carry the mark itself. */
    public static final String NONCE = "LOOPKEEPER_NONCE";
    /** Beginning of the nonces of git commands of this runtime, which ends what they leave. */
    public static final String GIT_NONCES = "git-" + UUID.randomUUID() + "-";
    /** Data folder of the step; also set by the launcher. */
    public static final String DATA = "LOOPKEEPER_DATA";
    /** Run of the step. */
    public static final String RUN_ID = "LOOPKEEPER_RUN_ID";
    /** Id of the step. */
    public static final String STEP_ID = "LOOPKEEPER_STEP_ID";

    /** Prompt placeholder for what earlier steps did. */
    public static final String CONTEXT = "context";

    private static final String MARKS = "LOOPKEEPER_";
    /** Characters; a program does not start with a variable above 128 KiB. */
    private static final int LONGEST_REASONS = 32_768;
    /** Variables of {@code git rev-parse --local-env-vars} except settings; git sets them for hooks and aliases. */
    private static final Set<String> OF_A_REPOSITORY = Set.of(
            "GIT_DIR",
            "GIT_WORK_TREE",
            "GIT_IMPLICIT_WORK_TREE",
            "GIT_INDEX_FILE",
            "GIT_COMMON_DIR",
            "GIT_OBJECT_DIRECTORY",
            "GIT_ALTERNATE_OBJECT_DIRECTORIES",
            "GIT_NAMESPACE",
            "GIT_PREFIX",
            "GIT_SHALLOW_FILE",
            "GIT_GRAFT_FILE",
            "GIT_REPLACE_REF_BASE",
            "GIT_NO_REPLACE_OBJECTS",
            "GIT_CONFIG");

    private StepEnvironment() {}

    /**
     * Adds the step's variables to an inherited environment: the manifest's, the agent's, then Loopkeeper's. Removes
     * inherited {@code LOOPKEEPER_*} variables, except the marks of an outer step whose agent this runtime is. An agent
     * in a worktree inherits no variable that directs git to another repository or index.
     *
     * @param contextFile context of the launch
     * @param signalProgram writes the step's signal
     */
    public static void layOver(Map<String, String> environment, StepSpec step, Path contextFile, Path signalProgram) {
        environment.keySet().removeIf(name -> name.startsWith(MARKS) && !name.equals(NONCE) && !name.equals(DATA));
        if (step.worktree().isPresent()) {
            environment.keySet().removeAll(OF_A_REPOSITORY);
        }
        environment.putAll(step.env());
        environment.putAll(step.agentSpec().program().env());
        environment.put(RUN_ID, step.runId());
        environment.put("LOOPKEEPER_EXECUTION", Integer.toString(step.execution()));
        environment.put("LOOPKEEPER_PHASE", step.identity().phase());
        environment.put("LOOPKEEPER_ITERATION", number(step));
        environment.put("LOOPKEEPER_ITEM", step.identity().item().orElse(""));
        environment.put("LOOPKEEPER_ATTEMPT", Integer.toString(step.identity().attempt()));
        environment.put(STEP_ID, step.stepId());
        environment.put("LOOPKEEPER_SIGNAL_FILE", signalFile(step));
        String reasons = String.join(",", step.reasons());
        if (reasons.length() <= LONGEST_REASONS) {
            environment.put(SignalStep.REASONS, reasons);
        }
        environment.put("LOOPKEEPER_SIGNAL", signalProgram.toAbsolutePath().toString());
        TraceContext trace = step.trace();
        environment.put(TraceContext.PARENT, trace.traceparent());
        environment.remove(TraceContext.STATE);
        trace.tracestate().ifPresent(state -> environment.put(TraceContext.STATE, state));
        environment.put("LOOPKEEPER_FEEDBACK", EnvironmentText.of(step.feedback()));
        environment.put("LOOPKEEPER_CONTEXT_FILE", contextFile.toAbsolutePath().toString());
        environment.put("LOOPKEEPER_LAST_VERDICT", lastVerdict(step));
        environment.put("LOOPKEEPER_LAST_CONCERN", EnvironmentText.of(ContextText.concern(step.context())));
    }

    /**
     * Returns the values of prompt placeholders, as {@link TemplateNames} lists them; variables as {@code vars.NAME}.
     */
    public static Map<String, String> values(StepSpec step, Path contextFile) {
        String file = contextFile.toAbsolutePath().toString();
        LaunchContext context = step.context();
        Map<String, String> values = new HashMap<>();
        step.vars().forEach((name, value) -> values.put("vars." + name, value));
        values.put("runId", step.runId());
        values.put("execution", Integer.toString(step.execution()));
        values.put("phase", step.identity().phase());
        values.put("iteration", number(step));
        values.put("item.id", step.identity().item().orElse(""));
        values.put("attempt", Integer.toString(step.identity().attempt()));
        values.put("stepId", step.stepId());
        values.put("agent", step.identity().agent());
        values.put("nonce", step.nonce());
        values.put("workspace", step.workspace());
        values.put("signalFile", signalFile(step));
        values.put("feedback", step.feedback());
        values.put("last.verdict", lastVerdict(step));
        values.put("last.concern", ContextText.concern(context));
        values.put("last.agent", context.last().map(last -> last.by().agent()).orElse(""));
        values.put("failure", ContextText.failure(context));
        values.put("history", ContextText.history(context));
        values.put("limits", context.limits().text());
        values.put("contextFile", file);
        values.put(CONTEXT, ContextText.block(context, file));
        return values;
    }

    /** Returns the absolute path of the signal file; empty if none is declared. */
    public static String signalFile(StepSpec step) {
        return step.agentSpec()
                .program()
                .signal()
                .map(file -> Path.of(step.workspace()).resolve(file).normalize().toString())
                .orElse("");
    }

    private static String lastVerdict(StepSpec step) {
        return step.context().last().map(LaunchContext.Last::verdict).orElse("");
    }

    private static String number(StepSpec step) {
        return step.identity().iteration().map(String::valueOf).orElse("");
    }
}
