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
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What an ended step came to, before any rule.
 *
 * @param signal the valid one, if there is one; also one of which only the reason to end with is unknown
 * @param invalid why a declared signal does not count
 * @param voluntary whether the step may fail without harm: a requested step, a check, a consultation
 * @param failure why a next try is one; absent where this step is no reason for one
 */
record StepJudgement(
        OpenStep step,
        StepOutcome outcome,
        Optional<Signal> signal,
        Optional<SignalReading.Invalid> invalid,
        boolean voluntary,
        Optional<ErrorContext> error,
        String termination,
        Optional<Failure> failure) {
    private static final Set<Readiness> NOT_READY = EnumSet.of(Readiness.BLOCKED, Readiness.NEEDS_REFINEMENT);

    static StepJudgement of(RunState state, OpenStep step, StepOutcome outcome) {
        SignalReading reading = reading(outcome);
        Optional<Signal> signal =
                reading instanceof SignalReading.Valid valid ? Optional.of(valid.signal()) : Optional.empty();
        Optional<SignalReading.Invalid> invalid = reading instanceof SignalReading.Invalid bad
                ? Optional.of(bad)
                : signal.flatMap(said -> unknownReason(state, said));
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

    /** Whether a limit ended the agent after its final record of success: that takes nothing back. */
    private static boolean hadEndedWell(StepOutcome outcome) {
        ExitCause cause = outcome.exit().cause();
        return (cause == ExitCause.TIMEOUT || cause == ExitCause.IDLE) && reportedSuccess(outcome);
    }

    /** A step that was not launched has no signal, whatever lies at the path. */
    private static SignalReading reading(StepOutcome outcome) {
        return outcome.exit().cause() == ExitCause.LAUNCH_FAILED ? new SignalReading.NotDeclared() : outcome.reading();
    }

    /** Which reasons there are says the manifest, which whoever reads the file does not know. */
    private static Optional<SignalReading.Invalid> unknownReason(RunState state, Signal said) {
        return said.terminal()
                .map(TerminalSignal::reasonCode)
                .filter(code -> reasons(state).find(code).isEmpty())
                .map(code -> RefusedValue.of(TextNode.valueOf(code)))
                .map(code -> new SignalReading.Invalid(
                        SignalDetail.SCHEMA_INVALID,
                        "terminal.reasonCode " + code
                                + " is neither built in nor declared under the manifest's reasons",
                        Optional.of(code)));
    }

    /** What the signal's {@code terminal} ends the run with; absent where it has none, or names what nobody knows. */
    Optional<TerminationReason> terminalReason(RunState state) {
        return signal.flatMap(Signal::terminal).flatMap(said -> reasons(state).find(said.reasonCode()));
    }

    private static ReasonCodes reasons(RunState state) {
        return new ReasonCodes(state.plan().manifest());
    }

    private StepJudgement because(ErrorContext known) {
        return new StepJudgement(step, outcome, signal, invalid, voluntary, Optional.of(known), termination, failure);
    }

    private StepJudgement failing(Optional<Failure> why) {
        return new StepJudgement(step, outcome, signal, invalid, voluntary, error, termination, why);
    }

    /** Every failure says what is known of it, at least how it ended. */
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
        if (slot.kind() == StepKind.CHECK || slot.kind() == StepKind.ASIDE) {
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
            case TIMEOUT -> Optional.of(ended(ErrorKind.TIMEOUT, "the step ran into its hard limit", outcome));
            case IDLE -> Optional.of(idle(outcome));
            case LAUNCH_FAILED -> Optional.of(unlaunched(outcome, said));
            case VANISHED ->
                Optional.of(ErrorContext.lasting(
                        ErrorCategory.UNKNOWN,
                        "vanished",
                        withLastWords(
                                said.isBlank() ? "the process is gone and nothing recorded how it ended" : said,
                                outcome)));
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
        return ErrorContext.lasting(kind.category(), kind.wire(), withLastWords(message, outcome));
    }

    private static String withLastWords(String message, StepOutcome outcome) {
        return hadEndedWell(outcome) ? message + ", after its final record of success" : lastWords(message, outcome);
    }

    private static String lastWords(String message, StepOutcome outcome) {
        return outcome.report()
                .diagnostic()
                .filter(words -> !words.isBlank())
                .map(words -> message + ": " + words)
                .orElse(message);
    }

    /** A step that a cap ended says which; so it does of whatever else ended the run without being asked to. */
    private static String stopped(RunState state) {
        return whatStopped(state)
                .filter(cause -> !cause.isAskedFor())
                .map(cause -> "the run was stopped: " + cause.summary())
                .orElse("the run was stopped");
    }

    /** Why steps of this run are being ended; what lets them be completed first is no reason. */
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

    /** Whether the machine, and no fault of the agent's, kept it from being launched. */
    boolean hadNoRoom() {
        return wasNotLaunchedFor(ErrorKind.INFRASTRUCTURE);
    }

    /** Whether its prompt, which cannot be used as it is, kept it from being launched. */
    boolean hadNoPrompt() {
        return wasNotLaunchedFor(ErrorKind.BAD_PROMPT);
    }

    /** Whether the place of its signal, which could not be made free, kept it from being launched. */
    boolean hadNoPlaceForItsSignal() {
        return outcome.reading() instanceof SignalReading.PlaceBlocked;
    }

    private boolean wasNotLaunchedFor(ErrorKind kind) {
        return outcome.exit().cause() == ExitCause.LAUNCH_FAILED
                && error.filter(known -> known.kind().equals(kind.wire())).isPresent();
    }

    /** An agent that did nothing but try again: what it tried against is the cause, that it was idle the occasion. */
    private static ErrorContext idle(StepOutcome outcome) {
        return outcome.report()
                .error()
                .filter(ErrorContext::isTransient)
                .map(error -> new ErrorContext(
                        "idle while it tried again by itself: " + error.message(),
                        error.category(),
                        error.kind(),
                        Optional.of("idle"),
                        true,
                        error.retryAfterMs()))
                .orElseGet(() -> ended(ErrorKind.IDLE, "nothing moved for too long", outcome));
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

    /** With a valid signal the exit code is only recorded; what the output itself says of an error still counts. */
    private static boolean exitCodeAloneDisagrees(StepOutcome outcome) {
        return outcome.reading() instanceof SignalReading.Valid
                && outcome.report().error().isEmpty()
                && outcome.report().termination().equals(StandardReason.EXECUTION_ERROR.subtype());
    }

    /** Whether its signal says that the work is done. */
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

    /** No valid result: nothing says that the work was done. */
    boolean failed() {
        if (signal.isPresent() && invalid.isEmpty()) {
            return false;
        }
        boolean ended = outcome.exit().cause() == ExitCause.EXITED || hadEndedWell(outcome);
        return invalid.isPresent() || !ended || !reportedSuccess(outcome);
    }

    /** What an error beside its signal makes of it, where that is tried again or ends the run. */
    private Optional<StandardReason> reported() {
        return signal.isPresent() && !saysSuccess() ? RecoveryLadder.reasonOf(this) : Optional.empty();
    }

    /** The same where it changes what the step has come to: of one that may fail nothing is made. */
    private Optional<StandardReason> decisive() {
        return voluntary ? Optional.empty() : reported();
    }

    private StepStatus status() {
        if (cancelled()) {
            return StepStatus.CANCELLED;
        }
        return failed() || decisive().isPresent() ? StepStatus.ERROR : StepStatus.COMPLETED;
    }

    /** Whether it proves that what ended the run before is overcome. */
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

    /** The result as the API shows it; {@code snapshot} holds the iterations that were alike, if they were. */
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
                told(),
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

    /** The output's word, completed by the signal's, and by what was heard while it ran. */
    Usage usage() {
        Usage said = signal.flatMap(Signal::usage).orElse(Usage.UNKNOWN);
        Usage printed = SessionRules.printed(this);
        Usage heard = step.usage();
        return new Usage(
                printed.costUsd().isPresent()
                        ? printed.costUsd()
                        : said.costUsd().isPresent() ? said.costUsd() : heard.costUsd(),
                first(printed.inputTokens(), said.inputTokens(), heard.inputTokens()),
                first(printed.outputTokens(), said.outputTokens(), heard.outputTokens()),
                first(printed.turns(), said.turns(), heard.turns()));
    }

    private static OptionalLong first(OptionalLong one, OptionalLong two, OptionalLong three) {
        return one.isPresent() ? one : two.isPresent() ? two : three;
    }

    StepSummary note() {
        boolean check = step.slot().kind() == StepKind.CHECK;
        // A missing signal pauses the run: if a person then lets it go on, the silence is accepted.
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

    /** Nothing but that it could not do its work, which makes no item good. */
    private boolean blocksItem() {
        return step.slot().kind() == StepKind.ITEM
                && signal.flatMap(Signal::determination).isEmpty()
                && signal.flatMap(Signal::verdict).isEmpty()
                && saysNotReady();
    }

    /** Whether it says that it could not do its work, or that the work cannot begin. */
    boolean saysNotReady() {
        return signal.filter(said ->
                        said.status().filter(SignalStatus.BLOCKED::equals).isPresent()
                                || said.readiness().filter(NOT_READY::contains).isPresent())
                .isPresent();
    }

    /** What it said that a person needs to decide. */
    Finding finding() {
        return Finding.of(signal, invalid, told());
    }

    /** The error, but where a step without a signal succeeded all the same. */
    private Optional<ErrorContext> told() {
        return failed() || cancelled() || signal.isPresent() || hadEndedWell(outcome) ? error : Optional.empty();
    }
}
