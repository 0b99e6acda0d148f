package dev.loopkeeper.rules;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.Finding;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.run.step.StepSummary;
import dev.loopkeeper.statistics.UnitOutcome;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.Failure;
import dev.loopkeeper.step.ReportedSession;
import dev.loopkeeper.step.StepReport;
import dev.loopkeeper.step.StepResult;
import dev.loopkeeper.step.StepStatus;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.verdict.Signal;
import dev.loopkeeper.verdict.SignalReading;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Optional;

/**
 * The result of an ended step, before any rule.
 *
 * @param said its signal
 * @param voluntary whether the step may fail without harm: a requested step, a check, a consultation
 * @param fingerprint equal for steps with the same result
 * @param failure reason for a retry; absent when the step gives none
 */
@RecordBuilder
record StepJudgement(
        OpenStep step,
        StepOutcome outcome,
        SaidSignal said,
        boolean voluntary,
        Optional<ErrorContext> error,
        String termination,
        String fingerprint,
        Optional<Failure> failure)
        implements StepJudgementBuilder.With {
    StepPosition position() {
        return step.position();
    }

    String agent() {
        return step.agent();
    }

    StepOutcome.Exit exit() {
        return outcome.exit();
    }

    ExitCause cause() {
        return exit().cause();
    }

    StepReport report() {
        return outcome.report();
    }

    Optional<Signal> signal() {
        return said.signal();
    }

    /** The signal as the agent wrote it. */
    Optional<Signal> written() {
        if (outcome.isPermitted()) {
            return signal();
        }
        return outcome.reading() instanceof SignalReading.Valid valid ? Optional.of(valid.signal()) : Optional.empty();
    }

    Optional<SignalReading.Invalid> invalid() {
        return said.invalid();
    }

    static StepJudgement of(RunState state, OpenStep step, StepOutcome outcome) {
        SaidSignal said = SaidSignal.of(state, step.position(), outcome);
        StepErrors errors = new StepErrors(state, outcome);
        Optional<ErrorContext> error = errors.of(said.signal());
        StepJudgement judgement = new StepJudgement(
                step,
                outcome,
                said,
                isVoluntary(state, step.position()),
                error,
                errors.termination(said.invalid().isEmpty()),
                Fingerprints.of(state, step, said.signal(), outcome),
                Optional.empty());
        StepJudgement known = judgement.failed() && error.isEmpty()
                ? judgement.withError(Optional.of(StepErrors.unclassified(outcome, said.invalid())))
                : judgement;
        return known.withFailure(StepFailures.of(state, known));
    }

    private static boolean isVoluntary(RunState state, StepPosition position) {
        if (position.kind() == StepKind.CHECK || position.kind() == StepKind.CONSULTATION) {
            return true;
        }
        return position.kind() == StepKind.LOOP
                && state.phase().orElseThrow() instanceof LoopPhase loop
                && loop.steps().get(position.index()).requested();
    }

    /** Whether the machine, not the agent, prevented the launch. */
    boolean lackedResources() {
        return wasNotLaunchedFor(ErrorKind.INFRASTRUCTURE);
    }

    /** Whether an unusable prompt, or a sandbox that the machine cannot enforce, prevented the launch. */
    boolean lackedPromptOrSandbox() {
        return wasNotLaunchedFor(ErrorKind.BAD_PROMPT) || wasNotLaunchedFor(ErrorKind.SANDBOX);
    }

    /** Whether an old signal file that could not be removed prevented the launch. */
    boolean lackedSignalPath() {
        return outcome.reading() instanceof SignalReading.PathBlocked
                && invalid().isEmpty();
    }

    private boolean wasNotLaunchedFor(ErrorKind kind) {
        return cause() == ExitCause.LAUNCH_FAILED
                && error.filter(context -> context.is(kind)).isPresent();
    }

    boolean cancelled() {
        return cause() == ExitCause.STOPPED || cause() == ExitCause.KILLED;
    }

    /** No valid result: nothing reports that the work is done. */
    boolean failed() {
        if (said.isValid()) {
            return false;
        }
        boolean ended = cause() == ExitCause.EXITED || outcome.hadEndedWell();
        return invalid().isPresent() || !ended || !outcome.reportedSuccess();
    }

    /** The ending for an error beside a valid signal, if the error is retried or ends the run. */
    private Optional<StandardReason> reported() {
        return signal().isPresent() && !said.success() ? StepErrors.reasonOf(this) : Optional.empty();
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

    /** Whether the step proves that the cause of the previous ending is gone. */
    boolean succeeded() {
        return status() == StepStatus.COMPLETED
                && reported().isEmpty()
                && signal().flatMap(Signal::terminal).isEmpty();
    }

    private String subtype() {
        String otherwise = invalid().isPresent() && outcome.reportedSuccess()
                ? StandardReason.SCHEMA_VALIDATION.subtype()
                : termination;
        return decisive().map(StandardReason::subtype).orElse(otherwise);
    }

    /** The result as the API shows it; {@code snapshot} has the iterations with the same result, if any. */
    StepResult result(Optional<JsonNode> snapshot) {
        Optional<Usage> usage = Optional.of(usage()).filter(used -> !used.equals(Usage.UNKNOWN));
        return new StepResult(
                status(),
                subtype(),
                exit().exitCode(),
                written().map(Signal::raw),
                usage,
                usage().costUsd(),
                usage().estimated(),
                durationMs(),
                resultError(),
                signal().flatMap(Signal::deliverable).or(() -> report().deliverable()),
                snapshot,
                exit().diagnostic()
                        .or(() -> report().diagnostic())
                        .or(() -> invalid().map(SignalReading.Invalid::message)),
                outcome.sweep().swept().size(),
                failed() || failure.isPresent() ? report().lastLines() : Optional.empty(),
                report().session().map(ReportedSession::session),
                exit().sandbox());
    }

    private long durationMs() {
        // A lost step has no record of when its process began.
        Instant began = cause().isLoss() ? step.startedAt() : exit().startedAt();
        return Math.max(0, exit().endedAt().toEpochMilli() - began.toEpochMilli());
    }

    /** The usage from the output, completed by the signal and by reports while the step ran. */
    Usage usage() {
        Usage inSignal = signal().flatMap(Signal::usage).orElse(Usage.UNKNOWN);
        return SessionRules.printed(this).or(inSignal).or(step.usage());
    }

    StepSummary note() {
        boolean check = position().kind() == StepKind.CHECK;
        // A missing signal pauses the run; if a person continues, the step is accepted without one.
        boolean unlaunched = cause() == ExitCause.LAUNCH_FAILED && invalid().isEmpty();
        boolean silent = invalid().isPresent() || cause().isLoss();
        boolean failed = !voluntary && failed() && (unlaunched || !silent);
        StepSummary.Rating rating = new StepSummary.Rating(
                signal().flatMap(Signal::determination), signal().flatMap(Signal::verdict), failed);
        return new StepSummary(
                step.stepId(),
                step.agent(),
                rating,
                new StepSummary.ForLoop(
                        outcome.isPermitted() && (check ? !failed() : outcome.outputMatched()),
                        !signal().flatMap(Signal::reflectionNeeded).orElse(true),
                        !signal().flatMap(Signal::shouldContinue).orElse(true),
                        fingerprint,
                        Optional.of(outcome.digests().workspaceDigest()).filter(digest -> !digest.isEmpty())),
                Optional.of(finding()).filter(Finding::says),
                blocksItem() ? UnitOutcome.FAILED : rating.outcome(),
                failure);
    }

    /** Whether the signal reports only that the work could not be done; such a signal approves no item. */
    private boolean blocksItem() {
        return position().kind() == StepKind.ITEM
                && signal().flatMap(Signal::determination).isEmpty()
                && signal().flatMap(Signal::verdict).isEmpty()
                && said.notReady();
    }

    /** The finding for a person. */
    Finding finding() {
        return Finding.of(signal(), invalid(), resultError());
    }

    /** The error, unless a step without a signal succeeded anyway. */
    private Optional<ErrorContext> resultError() {
        return failed() || cancelled() || signal().isPresent() || outcome.hadEndedWell() ? error : Optional.empty();
    }
}
