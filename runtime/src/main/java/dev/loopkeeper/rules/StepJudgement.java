package dev.loopkeeper.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.EndReason;
import dev.loopkeeper.run.Finding;
import dev.loopkeeper.run.OpenStep;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.StepKind;
import dev.loopkeeper.run.StepPosition;
import dev.loopkeeper.run.StepSummary;
import dev.loopkeeper.step.ErrorCategory;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.Failure;
import dev.loopkeeper.step.ReportedSession;
import dev.loopkeeper.step.StepResult;
import dev.loopkeeper.step.StepStatus;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.Category;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.termination.TerminationReason;
import dev.loopkeeper.verdict.Determination;
import dev.loopkeeper.verdict.Readiness;
import dev.loopkeeper.verdict.RefusedValue;
import dev.loopkeeper.verdict.Signal;
import dev.loopkeeper.verdict.SignalDetail;
import dev.loopkeeper.verdict.SignalReading;
import dev.loopkeeper.verdict.SignalStatus;
import dev.loopkeeper.verdict.SignalVerdict;
import dev.loopkeeper.verdict.TerminalSignal;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The result of an ended step, before any rule.
 *
 * @param signal the valid signal, if any; also one with an unknown reason code
 * @param invalid why a declared signal is invalid
 * @param voluntary whether the step may fail without harm: a requested step, a check, a consultation
 * @param failure reason for a retry; absent when the step gives none
 */
@RecordBuilder
record StepJudgement(
        OpenStep step,
        StepOutcome outcome,
        Optional<Signal> signal,
        Optional<SignalReading.Invalid> invalid,
        boolean voluntary,
        Optional<ErrorContext> error,
        String termination,
        Optional<Failure> failure)
        implements StepJudgementBuilder.With {
    private static final Set<Readiness> NOT_READY = EnumSet.of(Readiness.BLOCKED, Readiness.NEEDS_REFINEMENT);

    static StepJudgement of(RunState state, OpenStep step, StepOutcome outcome) {
        SignalReading reading = reading(outcome);
        Optional<Signal> signal =
                reading instanceof SignalReading.Valid valid ? Optional.of(valid.signal()) : Optional.empty();
        Optional<SignalReading.Invalid> invalid = reading instanceof SignalReading.Invalid bad
                ? Optional.of(bad)
                : signal.flatMap(valid -> unknownReason(state, valid));
        Optional<ErrorContext> error = errorOf(state, outcome, signal);
        StepJudgement judged = new StepJudgement(
                step,
                outcome,
                signal,
                invalid,
                isVoluntary(state, step.slot()),
                error,
                terminationOf(state, outcome, invalid.isEmpty()),
                Optional.empty());
        StepJudgement known =
                judged.failed() && error.isEmpty() ? judged.because(unclassified(outcome, invalid)) : judged;
        return known.failing(StepFailures.of(state, known));
    }

    /** Whether a limit ended the agent after its final record of success, which remains valid. */
    private static boolean hadEndedWell(StepOutcome outcome) {
        ExitCause cause = outcome.exit().cause();
        return (cause == ExitCause.TIMEOUT || cause == ExitCause.IDLE) && reportedSuccess(outcome);
    }

    /** A step that was not launched has no signal, whatever file exists. */
    private static SignalReading reading(StepOutcome outcome) {
        return outcome.exit().cause() == ExitCause.LAUNCH_FAILED ? new SignalReading.NotDeclared() : outcome.reading();
    }

    /** Only the manifest knows its reasons, so the reader of the file cannot check them. */
    private static Optional<SignalReading.Invalid> unknownReason(RunState state, Signal said) {
        return said.terminal()
                .map(TerminalSignal::reasonCode)
                .filter(code -> reasons(state).find(code).isEmpty())
                .map(code -> RefusedValue.of(TextNode.valueOf(code)))
                .map(code -> new SignalReading.Invalid(
                        SignalDetail.SCHEMA_INVALID, TerminalSignal.unknownReason(code), Optional.of(code)));
    }

    /** The reason of the signal's {@code terminal}; empty when it has none, or an unknown one. */
    Optional<TerminationReason> terminalReason(RunState state) {
        return signal.flatMap(Signal::terminal).flatMap(end -> reasons(state).find(end.reasonCode()));
    }

    private static ReasonCodes reasons(RunState state) {
        return new ReasonCodes(state.plan().manifest());
    }

    private StepJudgement because(ErrorContext known) {
        return withError(Optional.of(known));
    }

    private StepJudgement failing(Optional<Failure> why) {
        return withFailure(why);
    }

    /** Every failure has an error, which at least states the exit. */
    private static ErrorContext unclassified(StepOutcome outcome, Optional<SignalReading.Invalid> invalid) {
        String exit = outcome.exit().exitCode().isPresent()
                ? "exit " + outcome.exit().exitCode().getAsInt()
                : "no exit code";
        String words = outcome.report()
                .diagnostic()
                .or(() -> invalid.map(SignalReading.Invalid::message))
                .orElse("");
        String message = words.isBlank() || words.startsWith(exit) ? words : exit + ": " + words;
        return ErrorContext.lasting(
                ErrorCategory.UNKNOWN, ErrorKind.UNCLASSIFIED.wire(), message.isBlank() ? exit : message);
    }

    private static boolean isVoluntary(RunState state, StepPosition slot) {
        if (slot.kind() == StepKind.CHECK || slot.kind() == StepKind.CONSULTATION) {
            return true;
        }
        return slot.kind() == StepKind.LOOP
                && state.phase().orElseThrow() instanceof LoopPhase loop
                && loop.steps().get(slot.index()).requested();
    }

    private static Optional<ErrorContext> errorOf(RunState state, StepOutcome outcome, Optional<Signal> signal) {
        String said = outcome.exit().diagnostic().orElse("");
        return switch (outcome.exit().cause()) {
            case STOPPED -> Optional.of(ended(ErrorKind.ABORTED, stopped(state), outcome));
            case KILLED -> Optional.of(ended(ErrorKind.ABORTED, "an operator killed the step", outcome));
            case TIMEOUT -> Optional.of(ended(ErrorKind.TIMEOUT, "the step exceeded its time limit", outcome));
            case IDLE -> Optional.of(idle(outcome));
            case LAUNCH_FAILED -> Optional.of(unlaunched(outcome, said));
            case VANISHED ->
                Optional.of(ErrorContext.lasting(
                        ErrorCategory.UNKNOWN,
                        "vanished",
                        withLastOutput(
                                said.isBlank() ? "the process is gone without a recorded exit" : said, outcome)));
            case NODE_LOST ->
                Optional.of(new ErrorContext(
                        said.isBlank() ? "the node that ran it was lost" : said,
                        ErrorKind.NODE_LOST.category(),
                        ErrorKind.NODE_LOST.wire(),
                        Optional.empty(),
                        true,
                        OptionalLong.empty()));
            case EXITED ->
                signal.isPresent()
                        ? signal.flatMap(Signal::error)
                        : outcome.report().error();
        };
    }

    private static ErrorContext ended(ErrorKind kind, String message, StepOutcome outcome) {
        return ErrorContext.lasting(kind.category(), kind.wire(), withLastOutput(message, outcome));
    }

    private static String withLastOutput(String message, StepOutcome outcome) {
        return hadEndedWell(outcome) ? message + ", after its final record of success" : lastOutput(message, outcome);
    }

    private static String lastOutput(String message, StepOutcome outcome) {
        return outcome.report()
                .diagnostic()
                .filter(words -> !words.isBlank())
                .map(words -> message + ": " + words)
                .orElse(message);
    }

    /** A step stopped by a limit names it, as does any other unrequested end of the run. */
    private static String stopped(RunState state) {
        return whatStopped(state)
                .filter(cause -> !cause.isAskedFor())
                .map(cause -> "the run was stopped: " + cause.summary())
                .orElse("the run was stopped");
    }

    /** Why steps of this run are being ended; an ending that lets steps complete is no reason. */
    static Optional<EndReason> whatStopped(RunState state) {
        return state.condition() instanceof Condition.Stopping stopping
                ? stopping.causes().stream().filter(cause -> !cause.isAwaited()).findFirst()
                : Optional.empty();
    }

    private static ErrorContext unlaunched(StepOutcome outcome, String said) {
        return outcome.report()
                .error()
                .filter(error -> error.kind().equals(ErrorKind.INFRASTRUCTURE.wire())
                        || error.kind().equals(ErrorKind.BAD_PROMPT.wire()))
                .orElseGet(() -> ErrorContext.lasting(
                        ErrorCategory.SESSION_FAILED,
                        "session-failed",
                        said.isBlank() ? "the step could not be launched" : said));
    }

    /** Whether the machine, not the agent, prevented the launch. */
    boolean lackedResources() {
        return wasNotLaunchedFor(ErrorKind.INFRASTRUCTURE);
    }

    /** Whether an unusable prompt prevented the launch. */
    boolean lackedPrompt() {
        return wasNotLaunchedFor(ErrorKind.BAD_PROMPT);
    }

    /** Whether an old signal file that could not be removed prevented the launch. */
    boolean lackedSignalPath() {
        return outcome.reading() instanceof SignalReading.PlaceBlocked;
    }

    private boolean wasNotLaunchedFor(ErrorKind kind) {
        return outcome.exit().cause() == ExitCause.LAUNCH_FAILED
                && error.filter(context -> context.kind().equals(kind.wire())).isPresent();
    }

    /** For an idle agent that only retried, the cause is the error that it met. */
    private static ErrorContext idle(StepOutcome outcome) {
        return outcome.report()
                .error()
                .filter(ErrorContext::isTransient)
                .map(error -> new ErrorContext(
                        "idle while it retried its request: " + error.message(),
                        error.category(),
                        error.kind(),
                        Optional.of("idle"),
                        true,
                        error.retryAfterMs()))
                .orElseGet(() -> ended(ErrorKind.IDLE, "the step exceeded its idle limit", outcome));
    }

    private static String terminationOf(RunState state, StepOutcome outcome, boolean signalCounts) {
        return switch (outcome.exit().cause()) {
            case STOPPED ->
                whatStopped(state)
                        .filter(cause -> cause.stopCause().isPresent())
                        .map(EndReason::subtype)
                        .orElse(StandardReason.OPERATOR_STOP.subtype());
            case KILLED -> StandardReason.OPERATOR_STOP.subtype();
            case TIMEOUT, IDLE ->
                hadEndedWell(outcome) ? outcome.report().termination() : StandardReason.EXECUTION_ERROR.subtype();
            case LAUNCH_FAILED -> StandardReason.EXECUTION_ERROR.subtype();
            case VANISHED, NODE_LOST -> StandardReason.CRASHED.subtype();
            case EXITED ->
                signalCounts && exitCodeAloneDisagrees(outcome)
                        ? StandardReason.STOP.subtype()
                        : outcome.report().termination();
        };
    }

    /** With a valid signal the exit code is only recorded; an error in the output itself still applies. */
    private static boolean exitCodeAloneDisagrees(StepOutcome outcome) {
        return outcome.reading() instanceof SignalReading.Valid
                && outcome.report().error().isEmpty()
                && outcome.report().termination().equals(StandardReason.EXECUTION_ERROR.subtype());
    }

    /** Whether the signal reports success. */
    boolean saysSuccess() {
        return signal.filter(said -> said.determination()
                                .filter(Determination.SUCCESS::equals)
                                .isPresent()
                        || said.verdict().filter(SignalVerdict.APPROVED::equals).isPresent())
                .isPresent();
    }

    boolean cancelled() {
        return outcome.exit().cause() == ExitCause.STOPPED || outcome.exit().cause() == ExitCause.KILLED;
    }

    /** No valid result: nothing reports that the work is done. */
    boolean failed() {
        if (signal.isPresent() && invalid.isEmpty()) {
            return false;
        }
        boolean ended = outcome.exit().cause() == ExitCause.EXITED || hadEndedWell(outcome);
        return invalid.isPresent() || !ended || !reportedSuccess(outcome);
    }

    /** The ending for an error beside a valid signal, if the error is retried or ends the run. */
    private Optional<StandardReason> reported() {
        return signal.isPresent() && !saysSuccess() ? RecoveryLadder.reasonOf(this) : Optional.empty();
    }

    /** The ending that changes the step's result; empty for a step that may fail. */
    private Optional<StandardReason> decisive() {
        return voluntary ? Optional.empty() : reported();
    }

    private StepStatus status() {
        if (cancelled()) {
            return StepStatus.CANCELLED;
        }
        return failed() || decisive().isPresent() ? StepStatus.ERROR : StepStatus.COMPLETED;
    }

    /** Whether it proves that the previous ending is overcome. */
    boolean succeeded() {
        return status() == StepStatus.COMPLETED
                && reported().isEmpty()
                && signal.flatMap(Signal::terminal).isEmpty();
    }

    private String subtype() {
        String otherwise = invalid.isPresent() && reportedSuccess(outcome)
                ? StandardReason.SCHEMA_VALIDATION.subtype()
                : termination;
        return decisive().map(StandardReason::subtype).orElse(otherwise);
    }

    private static boolean reportedSuccess(StepOutcome outcome) {
        return StandardReason.ofSubtype(outcome.report().termination())
                .filter(reason -> reason.category() == Category.SUCCESS)
                .isPresent();
    }

    /** The result as the API shows it; {@code snapshot} has the iterations with the same result, if any. */
    StepResult result(Optional<JsonNode> snapshot) {
        Optional<Usage> usage = Optional.of(usage()).filter(used -> !used.equals(Usage.UNKNOWN));
        return new StepResult(
                status(),
                subtype(),
                outcome.exit().exitCode(),
                signal.map(Signal::raw),
                usage,
                usage().costUsd(),
                Math.max(
                        0,
                        outcome.exit().endedAt().toEpochMilli()
                                - outcome.exit().startedAt().toEpochMilli()),
                resultError(),
                signal.flatMap(Signal::deliverable).or(() -> outcome.report().deliverable()),
                snapshot,
                outcome.exit()
                        .diagnostic()
                        .or(() -> outcome.report().diagnostic())
                        .or(() -> invalid.map(SignalReading.Invalid::message)),
                outcome.sweep().swept().size(),
                failed() || failure.isPresent() ? outcome.report().lastLines() : Optional.empty(),
                outcome.report().session().map(ReportedSession::session));
    }

    /** The usage from the output, completed by the signal and by reports while the step ran. */
    Usage usage() {
        Usage said = signal.flatMap(Signal::usage).orElse(Usage.UNKNOWN);
        Usage printed = SessionRules.printed(this);
        Usage seen = step.usage();
        return new Usage(
                printed.costUsd().isPresent()
                        ? printed.costUsd()
                        : said.costUsd().isPresent() ? said.costUsd() : seen.costUsd(),
                first(printed.inputTokens(), said.inputTokens(), seen.inputTokens()),
                first(printed.outputTokens(), said.outputTokens(), seen.outputTokens()),
                first(printed.turns(), said.turns(), seen.turns()));
    }

    private static OptionalLong first(OptionalLong one, OptionalLong two, OptionalLong three) {
        return one.isPresent() ? one : two.isPresent() ? two : three;
    }

    StepSummary note() {
        boolean check = step.slot().kind() == StepKind.CHECK;
        // A missing signal pauses the run; if a person continues, the step is accepted without one.
        boolean unlaunched = outcome.exit().cause() == ExitCause.LAUNCH_FAILED;
        boolean silent = invalid.isPresent() || outcome.exit().cause().isUnrecorded();
        boolean failed = !voluntary && failed() && (unlaunched || !silent);
        Optional<Determination> determination = signal.flatMap(Signal::determination);
        Optional<SignalVerdict> verdict = signal.flatMap(Signal::verdict);
        return new StepSummary(
                step.stepId(),
                step.agent(),
                determination,
                verdict,
                failed,
                check ? !failed() : outcome.outputMatched(),
                signal.flatMap(Signal::reflectionNeeded)
                        .filter(needed -> !needed)
                        .isPresent(),
                signal.flatMap(Signal::shouldContinue).filter(go -> !go).isPresent(),
                Fingerprints.of(signal, outcome),
                Optional.of(finding()).filter(Finding::says),
                StepSummary.outcome(determination, verdict, failed || blocksItem()),
                failure);
    }

    /** Whether it reports only that the work could not be done, which approves no item. */
    private boolean blocksItem() {
        return step.slot().kind() == StepKind.ITEM
                && signal.flatMap(Signal::determination).isEmpty()
                && signal.flatMap(Signal::verdict).isEmpty()
                && saysNotReady();
    }

    /** Whether it reports that it could not do its work, or that the work cannot begin. */
    boolean saysNotReady() {
        return signal.filter(said ->
                        said.status().filter(SignalStatus.BLOCKED::equals).isPresent()
                                || said.readiness().filter(NOT_READY::contains).isPresent())
                .isPresent();
    }

    /** The finding for a person. */
    Finding finding() {
        return Finding.of(signal, invalid, resultError());
    }

    /** The error, unless a step without a signal succeeded anyway. */
    private Optional<ErrorContext> resultError() {
        return failed() || cancelled() || signal.isPresent() || hadEndedWell(outcome) ? error : Optional.empty();
    }
}
