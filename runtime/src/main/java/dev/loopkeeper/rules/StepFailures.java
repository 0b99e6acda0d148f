package dev.loopkeeper.rules;

import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.progress.PhaseOutcome;
import dev.loopkeeper.run.step.Finding;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepSummary;
import dev.loopkeeper.statistics.UnitOutcome;
import dev.loopkeeper.step.ErrorCategory;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.Failure;
import dev.loopkeeper.step.FailureKind;
import dev.loopkeeper.termination.EndReason;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.verdict.Determination;
import dev.loopkeeper.verdict.Signal;
import dev.loopkeeper.verdict.SignalReading;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Explains retries to later launches: after a step, a pause or an ending. A rejection is known when the iteration, the
 * attempt or the task ends. An answered question or a raised limit is not a failure.
 */
final class StepFailures {
    /** Errors that interrupt the work and may not recur in a retry. */
    private static final Set<ErrorKind> CUTTING = EnumSet.of(
            ErrorKind.AUTH,
            ErrorKind.BILLING,
            ErrorKind.ENTITLEMENT,
            ErrorKind.MODEL_MISSING,
            ErrorKind.INFRASTRUCTURE,
            ErrorKind.CRASHED);

    private static final Set<ErrorCategory> NAMED =
            Set.of(ErrorCategory.TIMEOUT, ErrorCategory.IDLE, ErrorCategory.SESSION_FAILED);

    private StepFailures() {}

    /** The failure of an ended step; empty when it is no reason for a retry. */
    static Optional<Failure> of(RunState state, StepJudgement ended) {
        return failure(state, ended).map(why -> why.by(ended.step().stepId()));
    }

    private static Optional<Failure> failure(RunState state, StepJudgement ended) {
        if (!ended.outcome().isPermitted()) {
            return Optional.of(Failure.of(FailureKind.REJECTED, words(ended))
                    .withFiles(ended.outcome().rejectedFor()));
        }
        if (ended.cause() == ExitCause.STOPPED) {
            return isForBudget(state) ? Optional.empty() : Optional.of(interrupted(ended, ExitCause.STOPPED.wire()));
        }
        boolean asks = ended.signal().filter(Signal::userInputNeeded).isPresent();
        if (SessionRules.isLost(ended)) {
            return Optional.empty(); // nothing was attempted: the earlier reason stays
        }
        if (mayFail(ended) || (asks && ended.invalid().isEmpty())) {
            return Optional.empty();
        }
        return cutShort(state, ended).or(() -> ownFailure(state, ended));
    }

    /** A raised limit is not a failure. */
    private static boolean isForBudget(RunState state) {
        return StepErrors.whatStopped(state)
                .map(EndReason::subtype)
                .filter(StandardReason.BUDGET_EXCEEDED.subtype()::equals)
                .isPresent();
    }

    /** Whether the failure has no consequence: a requested step, a consultation. */
    private static boolean mayFail(StepJudgement ended) {
        return ended.voluntary() && ended.position().kind() != StepKind.CHECK;
    }

    private static Optional<Failure> cutShort(RunState state, StepJudgement ended) {
        ExitCause cause = ended.cause();
        if (ended.failed() && (cause == ExitCause.KILLED || cause.isLoss())) {
            return Optional.of(interrupted(ended, cause.wire()));
        }
        boolean check = ended.position().kind() == StepKind.CHECK || StepErrors.exitCodeDecides(state, ended);
        boolean lost = ended.failed()
                || (!ended.said().success() && StepErrors.reasonOf(ended).isPresent());
        return ended.error()
                .filter(error -> lost && !check)
                .filter(error -> error.isTransient() || CUTTING.stream().anyMatch(error::is))
                .map(error -> interrupted(ended, error.kind()));
    }

    private static Failure interrupted(StepJudgement ended, String detail) {
        return Failure.of(FailureKind.INTERRUPTED, words(ended)).withDetail(Optional.of(detail));
    }

    private static Optional<Failure> ownFailure(RunState state, StepJudgement ended) {
        StepKind kind = ended.position().kind();
        boolean launched = ended.cause() != ExitCause.LAUNCH_FAILED;
        if (kind == StepKind.CHECK) {
            return failed(ended.failed(), ended, FailureKind.CHECK_FAILED);
        }
        if (StepErrors.lostItsWork(ended) && StepErrors.overflowed(ended)) {
            return Optional.of(checked(ended, FailureKind.CONTEXT_OVERFLOW));
        }
        if (ended.invalid().isPresent() && launched) {
            return Optional.of(invalid(state, ended, ended.invalid().get()));
        }
        if (kind == StepKind.GATE) {
            boolean red = SingleRules.gateOutcome(ended) == PhaseOutcome.FAILED;
            return failed(red, ended, FailureKind.GATE_FAILED);
        }
        boolean hasVerdict = kind == StepKind.TASK && !ended.failed();
        return hasVerdict ? saidOfTask(ended) : failed(ended.failed(), ended, FailureKind.STEP_FAILED);
    }

    /** The verdict of a task's signal; no iteration or attempt ends after it. */
    private static Optional<Failure> saidOfTask(StepJudgement ended) {
        boolean anomaly = ended.said().notReady()
                || ended.signal()
                        .filter(said -> said.says(Determination.ANOMALY))
                        .isPresent();
        StepSummary note = ended.note();
        if (!anomaly && note.outcome() == UnitOutcome.APPROVED) {
            return Optional.empty();
        }
        String plain = "the task was " + note.rating().word().orElse("not ready");
        Failure said = Failure.of(
                anomaly ? FailureKind.ANOMALY : FailureKind.REJECTED,
                ended.finding().words().isBlank() ? plain : ended.finding().words());
        return Optional.of(said.withDetail(anomaly ? ended.finding().anomalyType() : Optional.empty()));
    }

    private static Optional<Failure> failed(boolean so, StepJudgement ended, FailureKind kind) {
        return so ? Optional.of(checked(ended, kind)) : Optional.empty();
    }

    private static Failure checked(StepJudgement ended, FailureKind kind) {
        Optional<String> detail = ended.error()
                .filter(error -> NAMED.contains(error.category()))
                .map(error -> error.category().wire());
        return Failure.of(kind, words(ended)).withDetail(detail);
    }

    private static Failure invalid(RunState state, StepJudgement ended, SignalReading.Invalid invalid) {
        String path = SignalFiles.of(state, ended.agent(), ended.position()).orElse("");
        String refused = invalid.refusedValue()
                .filter(value -> !invalid.message().contains(value))
                .map(value -> " (" + value + ")")
                .orElse("");
        String beside = ended.error()
                .map(ErrorContext::message)
                .filter(message -> !message.contains(invalid.message()))
                .map(message -> "; " + Finding.line(ended.error().orElseThrow()))
                .orElse("");
        return Failure.of(FailureKind.SIGNAL_INVALID, path + ": " + invalid.message() + refused + beside)
                .withDetail(Optional.of(invalid.detail().wire()));
    }

    private static String words(StepJudgement ended) {
        String said = ended.finding().words();
        if (!said.isBlank()) {
            return said;
        }
        return ended.exit().exitCode().isPresent()
                ? "exit " + ended.exit().exitCode().getAsInt()
                : ended.agent() + " did not pass";
    }

    /** The failure behind a pause in which a person reviewed an anomaly. */
    static Optional<Failure> before(Pause pause) {
        if (pause.reason() != PauseReason.ANOMALY) {
            return Optional.empty();
        }
        String words = pause.finding().words();
        Failure said = Failure.of(FailureKind.ANOMALY, words.isBlank() ? pause.message() : words);
        return Optional.of(pause.stepId().map(said::by).orElse(said).withDetail(pause.anomalyType()));
    }

    /** The failure behind an ending before a resume. */
    static Optional<Failure> before(Condition condition) {
        if (condition instanceof Condition.Queued queued) {
            return queued.rest().flatMap(StepFailures::before);
        }
        return condition instanceof Condition.Ended ended
                        && ended.termination().subtype().equals(StandardReason.NO_PROGRESS.subtype())
                ? Optional.of(
                        Failure.of(FailureKind.NO_PROGRESS, ended.termination().summary()))
                : Optional.empty();
    }
}
