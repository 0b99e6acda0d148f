package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.termination.EndReason;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.verdict.Signal;
import dev.loopkeeper.verdict.SignalReading;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Determines the error and the termination of an ended step from its exit, its signal and its output, and whether the
 * error alone decides.
 */
record StepErrors(RunState state, StepOutcome outcome) {
    /** Kinds of a step that was not launched, and not for a fault of its agent. */
    private static final Set<ErrorKind> UNLAUNCHED =
            Set.of(ErrorKind.INFRASTRUCTURE, ErrorKind.BAD_PROMPT, ErrorKind.SANDBOX);

    private static final Map<String, StandardReason> LASTING_KINDS = Map.of(
            "auth", StandardReason.PROVIDER_AUTH,
            "billing", StandardReason.PROVIDER_AUTH,
            "entitlement", StandardReason.PROVIDER_AUTH,
            "model-missing", StandardReason.PROVIDER_AUTH,
            "context-overflow", StandardReason.PROMPT_TOO_LONG,
            "infrastructure", StandardReason.INFRASTRUCTURE);
    private static final Set<StandardReason> ENDING_REPORTS = Set.of(
            StandardReason.STRUCTURED_OUTPUT,
            StandardReason.PROMPT_TOO_LONG,
            StandardReason.THINKING_STARVED,
            StandardReason.HALTED,
            StandardReason.COMPACTION_FAILED,
            StandardReason.PROVIDER_AUTH,
            StandardReason.INFRASTRUCTURE);

    /** The error; empty for a step that exited and reported none. */
    Optional<ErrorContext> of(Optional<Signal> signal) {
        return switch (outcome.exit().cause()) {
            case STOPPED -> Optional.of(ended(ErrorKind.ABORTED, stopped()));
            case KILLED -> Optional.of(ended(ErrorKind.ABORTED, "an operator killed the step"));
            case TIMEOUT -> Optional.of(ended(ErrorKind.TIMEOUT, "the step exceeded its time limit"));
            case IDLE -> Optional.of(idle());
            case LAUNCH_FAILED -> Optional.of(unlaunched());
            case VANISHED -> Optional.of(vanished());
            case RUNTIME_DIED -> Optional.of(ended(ErrorKind.ABORTED, said("the runtime died")));
            case NODE_LOST ->
                Optional.of(ErrorContext.of(ErrorKind.NODE_LOST, said("the node that executed the step was lost")));
            case EXITED ->
                signal.isPresent()
                        ? signal.flatMap(Signal::error)
                        : outcome.report().error();
        };
    }

    /** The termination of the step; {@code signalCounts} is false for an invalid signal. */
    String termination(boolean signalCounts) {
        return switch (outcome.exit().cause()) {
            case STOPPED ->
                whatStopped(state)
                        .filter(cause -> cause.stopCause().isPresent())
                        .map(EndReason::subtype)
                        .orElse(StandardReason.OPERATOR_STOP.subtype());
            case KILLED -> StandardReason.OPERATOR_STOP.subtype();
            case TIMEOUT, IDLE ->
                outcome.hadEndedWell() ? outcome.report().termination() : StandardReason.EXECUTION_ERROR.subtype();
            case LAUNCH_FAILED -> StandardReason.EXECUTION_ERROR.subtype();
            case VANISHED, RUNTIME_DIED, NODE_LOST -> StandardReason.CRASHED.subtype();
            case EXITED ->
                signalCounts && exitCodeAloneDisagrees()
                        ? StandardReason.STOP.subtype()
                        : outcome.report().termination();
        };
    }

    /**
     * Whether only the exit code contradicts a valid signal. Such a code is recorded; an error in the output still
     * applies.
     */
    private boolean exitCodeAloneDisagrees() {
        boolean onlyExit = outcome.report()
                .error()
                .map(error -> error.is(ErrorKind.CRASHED) || error.is(ErrorKind.SESSION_FAILED))
                .orElse(outcome.report().termination().equals(StandardReason.EXECUTION_ERROR.subtype()));
        return onlyExit && outcome.reading() instanceof SignalReading.Valid;
    }

    /** Why steps of this run are being ended; an ending that lets steps complete is no reason. */
    static Optional<EndReason> whatStopped(RunState state) {
        return state.condition() instanceof Condition.Stopping stopping
                ? stopping.causes().stream().filter(cause -> !cause.isAwaited()).findFirst()
                : Optional.empty();
    }

    /** The error of a failure without one: it at least states the exit. */
    static ErrorContext unclassified(StepOutcome outcome, Optional<SignalReading.Invalid> invalid) {
        String exit = outcome.exit().exitCode().isPresent()
                ? "exit " + outcome.exit().exitCode().getAsInt()
                : "no exit code";
        String words = outcome.report()
                .diagnostic()
                .or(() -> invalid.map(SignalReading.Invalid::message))
                .orElse("");
        String message = words.isBlank() || words.startsWith(exit) ? words : exit + ": " + words;
        return ErrorContext.of(ErrorKind.UNCLASSIFIED, message.isBlank() ? exit : message);
    }

    private String said(String otherwise) {
        return outcome.exit().diagnostic().filter(words -> !words.isBlank()).orElse(otherwise);
    }

    private ErrorContext ended(ErrorKind kind, String message) {
        return ErrorContext.of(kind, withLastOutput(message));
    }

    private ErrorContext vanished() {
        return ended(ErrorKind.UNCLASSIFIED, said("the process ended without a recorded exit"))
                .withKind("vanished");
    }

    private String withLastOutput(String message) {
        if (outcome.hadEndedWell()) {
            return message + " after the agent had reported success";
        }
        return outcome.report()
                .diagnostic()
                .filter(words -> !words.isBlank() && !words.equals(message))
                .map(words -> message + ": " + words)
                .orElse(message);
    }

    /** A step stopped by a limit names it, as does any other unrequested end of the run. */
    private String stopped() {
        return whatStopped(state)
                .filter(cause -> !cause.isAskedFor())
                .map(cause -> "the run was stopped: " + cause.summary())
                .orElse("the run was stopped");
    }

    private ErrorContext unlaunched() {
        return outcome.report()
                .error()
                .filter(error -> UNLAUNCHED.stream().anyMatch(error::is))
                .orElseGet(() -> ErrorContext.of(ErrorKind.SESSION_FAILED, said("the step could not be launched")));
    }

    /** For an idle agent that only retried, the cause is the error that it met. */
    private ErrorContext idle() {
        return outcome.report()
                .error()
                .filter(ErrorContext::isTransient)
                .map(error -> error.withMessage("the agent was idle while it retried its request: " + error.message())
                        .withStopReason(Optional.of("idle")))
                .orElseGet(() -> ended(ErrorKind.IDLE, "the step exceeded its idle limit"));
    }

    /** Whether the step failed, or its agent reported an error and no success. */
    static boolean lostItsWork(StepJudgement ended) {
        return ended.failed() || (ended.error().isPresent() && !ended.said().success());
    }

    /** Whether the agent's context window was full. */
    static boolean overflowed(StepJudgement ended) {
        boolean error = ended.error()
                .filter(context -> context.is(ErrorKind.CONTEXT_OVERFLOW))
                .isPresent();
        return !ended.said().success()
                && ended.cause() == ExitCause.EXITED
                && (error || ended.report().termination().equals(StandardReason.PROMPT_TOO_LONG.subtype()));
    }

    /** A gate with plain text and without a signal is a check: its exit code decides, whatever its log contains. */
    static boolean exitCodeDecides(RunState state, StepJudgement ended) {
        return ended.position().kind() == StepKind.GATE
                && state.manifest()
                        .agent(ended.agent())
                        .filter(gate -> gate.program().output() == OutputDialect.TEXT
                                && gate.program().signal().isEmpty())
                        .isPresent();
    }

    /** Whether nothing interrupted the step, except its own retries of transient errors. */
    static boolean isOwnEnd(StepJudgement ended) {
        return ended.cause() == ExitCause.EXITED || (ended.cause() == ExitCause.IDLE && passes(ended));
    }

    /** Whether the error may pass. */
    static boolean passes(StepJudgement ended) {
        return ended.error().filter(ErrorContext::isTransient).isPresent();
    }

    /** The reason for an ending that the step's error determines; empty when only the step itself is judged. */
    static Optional<StandardReason> reasonOf(StepJudgement ended) {
        if (!isOwnEnd(ended) || ended.error().isEmpty()) {
            return Optional.empty();
        }
        return passes(ended) ? Optional.of(StandardReason.PROVIDER_UNAVAILABLE) : lasting(ended);
    }

    /** The reason for an ending by an error that does not pass. */
    static Optional<StandardReason> lasting(StepJudgement ended) {
        return ended.error()
                .map(error -> LASTING_KINDS.get(error.kind()))
                .or(() -> StandardReason.ofSubtype(ended.report().termination()).filter(ENDING_REPORTS::contains));
    }
}
