package dev.loopkeeper.rules;

import dev.loopkeeper.rules.RuleResult.AfterStep;
import dev.loopkeeper.rules.message.GitFailure;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.StepSwept;
import dev.loopkeeper.run.step.Finding;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.termination.EndReason;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.termination.TerminationReason;
import dev.loopkeeper.verdict.Determination;
import dev.loopkeeper.verdict.Readiness;
import dev.loopkeeper.verdict.Signal;
import dev.loopkeeper.verdict.SignalDetail;
import dev.loopkeeper.verdict.SignalReading;
import dev.loopkeeper.verdict.TerminalSignal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Applies the rules after a step: the first that matches decides. The numbers are those in {@code docs/deciding.md};
 * rules 7 to 14 apply after an iteration or attempt, see {@link IterationRules}. Rule 1, a pending stop, is in {@link
 * RunMachine}: a stopping run applies no rule.
 */
final class StepRules {
    private static final Set<String> CALM_HEALTH = Set.of("converging", "stable");

    private final RunState state;
    private final StepJudgement ended;
    private final Instant at;
    private final RecoveryLadder ladder;

    /** @param guarded whether launches of the agent require a permit */
    StepRules(RunState state, StepJudgement ended, Instant at, boolean guarded) {
        this.state = state;
        this.ended = ended;
        this.at = at;
        this.ladder = new RecoveryLadder(state, ended, at, guarded);
    }

    RuleResult decide() {
        Stream<Function<StepRules, Optional<RuleResult>>> inOrder = Stream.of(
                StepRules::lackedResources,
                StepRules::lackedFileOrSandbox,
                StepRules::couldNotBeLaunched,
                StepRules::lostSession,
                StepRules::recovery,
                StepRules::nudge, // 2
                StepRules::missingSignal, // 2
                StepRules::terminalSignal, // 3
                StepRules::exceeded, // 4
                StepRules::question, // 5
                StepRules::readiness, // 5
                StepRules::recommendedStop, // 6
                StepRules::anomalyOfTask); // 8
        RuleResult result = inOrder.map(rule -> rule.apply(this))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseGet(RuleResult.GoOn::new);
        return named(survivors(result).or(() -> gitFailure(result)).orElse(result));
    }

    /** Adds the step and its finding to a pause. */
    private RuleResult named(RuleResult result) {
        if (!(result instanceof RuleResult.PauseFor due)) {
            return result;
        }
        Finding said =
                ended.finding().withRefusedValue(due.pause().refusedValue().or(ended.finding()::refusedValue));
        Pause pause = due.pause()
                .saying(ended.agent() + ": " + due.pause().message())
                .withFinding(ended.step().stepId(), said);
        return new RuleResult.PauseFor(pause, due.after());
    }

    /** Precedes all others: a person must act on surviving processes. Other rules apply when the run continues. */
    private Optional<RuleResult> survivors(RuleResult otherwise) {
        List<String> left = ended.outcome().sweep().survivors();
        if (left.isEmpty()) {
            return Optional.empty();
        }
        return pause(PauseReason.SURVIVORS, StepSwept.message(left), after(otherwise));
    }

    private static AfterStep after(RuleResult otherwise) {
        return otherwise instanceof RuleResult.GoOn ? AfterStep.GO_ON : AfterStep.REDO;
    }

    /**
     * A step counts once its changes are committed; otherwise an item would be merged without them. A commit refused
     * because of the work pauses the run; after any other failure the step is launched again and finds its files.
     */
    private Optional<RuleResult> gitFailure(RuleResult otherwise) {
        Optional<GitFailure> gitFailure = ended.outcome().git().flatMap(StepOutcome.Git::failure);
        return gitFailure.map(failure -> failure.ofWork()
                ? new RuleResult.PauseFor(
                        Pause.of(PauseReason.ANOMALY, failure.message(), at).at(ended.step()), after(otherwise))
                : new RuleResult.End(
                        EndReason.of(StandardReason.INFRASTRUCTURE, failure.message()),
                        StopMode.TERMINATE,
                        AfterStep.REDO));
    }

    /**
     * Regardless of the phase: the work is not at fault and must not be treated as done. A failed consultation leaves the
     * pause unchanged.
     */
    private Optional<RuleResult> lackedResources() {
        return ended.lackedResources() && ended.position().kind() != StepKind.CONSULTATION
                ? Optional.of(new RuleResult.End(
                        EndReason.of(StandardReason.INFRASTRUCTURE, notLaunched())
                                .because(ended.error()),
                        StopMode.TERMINATE,
                        AfterStep.REDO))
                : Optional.empty();
    }

    /** Regardless of the phase: a person corrects the file or the sandbox, and only this step is launched again. */
    private Optional<RuleResult> lackedFileOrSandbox() {
        return (ended.lackedPromptOrSandbox() || ended.lackedSignalPath()) && !ended.voluntary()
                ? pause(PauseReason.ANOMALY, cause(), AfterStep.REDO)
                : Optional.empty();
    }

    private String notLaunched() {
        return ended.agent() + " could not be launched: " + cause();
    }

    private String cause() {
        return ended.exit().diagnostic().orElse("no cause is known");
    }

    private Optional<RuleResult> couldNotBeLaunched() {
        if (ended.cause() != ExitCause.LAUNCH_FAILED
                || ended.voluntary()
                || ended.invalid().isPresent()) {
            return Optional.empty();
        }
        if (!state.phase().orElseThrow().critical()) {
            return Optional.of(new RuleResult.GoOn());
        }
        return end(EndReason.of(StandardReason.CRITICAL_PHASE, notLaunched()).because(ended.error()));
    }

    private Optional<RuleResult> lostSession() {
        return affordable(ladder.afterLostSession());
    }

    /** A rejected step is not repeated: a second launch would begin with the files that it changed. */
    private Optional<RuleResult> recovery() {
        return ended.outcome().isPermitted() ? affordable(ladder.afterError()) : Optional.empty();
    }

    /** A retry requires budget; without it, a resume launches the step. */
    private Optional<RuleResult> affordable(Optional<RuleResult> retry) {
        return retry.filter(result -> !(result instanceof RuleResult.End))
                .flatMap(result -> BudgetRules.cause(state, at))
                .<RuleResult>map(spent -> new RuleResult.End(spent, StopMode.TERMINATE, AfterStep.REDO))
                .or(() -> retry);
    }

    /** The circuit breaker decides first. */
    private Optional<RuleResult> nudge() {
        Optional<RuleResult> again = ladder.nudge();
        return again.flatMap(retry -> IterationRules.circuitBreaker(state))
                .<RuleResult>map(breaker -> new RuleResult.End(breaker, StopMode.DRAIN, AfterStep.REDO))
                .or(() -> affordable(again));
    }

    private Optional<RuleResult> missingSignal() {
        if (ended.voluntary() || ended.signal().isPresent()) {
            return Optional.empty();
        }
        if (ended.cause().isLoss()) {
            return missing(
                    SignalDetail.ABSENT,
                    ended.error().map(ErrorContext::message).orElse("the process ended without a recorded exit"));
        }
        return ended.invalid().flatMap(invalid -> missing(invalid.detail(), invalid.message() + ofFailure(invalid)));
    }

    /** The failure of a step without a signal, if it explains more than the missing signal. */
    private String ofFailure(SignalReading.Invalid invalid) {
        return ended.error()
                .filter(error -> !error.message().contains(invalid.message()))
                .map(error -> "; " + Finding.line(error))
                .orElse("");
    }

    private Optional<RuleResult> missing(SignalDetail detail, String message) {
        String file = SignalFiles.of(state, ended.agent(), ended.position())
                .filter(path -> !state.manifest().isHandler(ended.agent()))
                .map(path -> (detail == SignalDetail.ABSENT ? "; expected file: " : "; file: ") + path)
                .orElse("");
        Pause pause = Pause.of(PauseReason.MISSING_SIGNALS, message + file, at)
                .withFinding(ended.step().stepId(), Finding.NOTHING)
                .withDetail(detail.wire())
                .at(ended.step())
                .accepting(ended.note());
        return Optional.of(new RuleResult.PauseFor(pause, AfterStep.REDO));
    }

    private Optional<RuleResult> terminalSignal() {
        Optional<TerminalSignal> terminal = ended.signal().flatMap(Signal::terminal);
        if (terminal.isEmpty()) {
            return Optional.empty();
        }
        TerminalSignal said = terminal.get();
        Optional<TerminationReason> reason = ended.said().terminalReason(state);
        if (reason.isEmpty()) {
            SignalReading.Invalid unknown = ended.invalid().orElseThrow();
            return missing(unknown.detail(), unknown.message());
        }
        String summary = said.summary().isBlank() ? said.reasonCode() : said.summary();
        return end(EndReason.of(reason.get(), summary).about(unit(), said.taskId(), said.qualifier()));
    }

    /** A step with a question, or one that could not do its work, is not done: a resume launches it again. */
    private Optional<RuleResult> exceeded() {
        boolean undone = question().or(this::readiness).or(this::anomalyOfTask).isPresent();
        return BudgetRules.cause(state, at)
                .map(cause -> new RuleResult.End(cause, StopMode.TERMINATE, undone ? AfterStep.REDO : AfterStep.GO_ON));
    }

    private Optional<RuleResult> question() {
        boolean loop = ended.position().kind() == StepKind.LOOP;
        return ended.signal()
                .filter(Signal::userInputNeeded)
                .flatMap(asks -> pause(
                        PauseReason.USER_INPUT_NEEDED,
                        ended.finding().asking(),
                        loop ? AfterStep.CUT_SHORT : AfterStep.REDO));
    }

    private Optional<RuleResult> readiness() {
        if (ended.position().kind() != StepKind.TASK || ended.signal().isEmpty()) {
            return Optional.empty();
        }
        Signal signal = ended.signal().get();
        if (signal.says(Readiness.SCOPE_COMPLETE)) {
            return pause(PauseReason.SCOPE_COMPLETE, says("no work is left"), AfterStep.REDO);
        }
        return ended.said().notReady()
                ? pause(PauseReason.ANOMALY, says("the task is not ready"), AfterStep.REDO)
                : Optional.empty();
    }

    private Optional<RuleResult> recommendedStop() {
        boolean calm = ended.signal()
                .flatMap(Signal::iterationHealth)
                .filter(CALM_HEALTH::contains)
                .isPresent();
        if (ended.signal().filter(Signal::recommendStop).isEmpty()
                || (ended.said().success() && calm)) {
            return Optional.empty();
        }
        Pause pause = Pause.of(PauseReason.ANOMALY, says("recommends a stop"), at);
        return pause(pause.withDetail("recommend_stop"), AfterStep.GO_ON);
    }

    private Optional<RuleResult> anomalyOfTask() {
        boolean anomaly = ended.signal()
                .filter(signal -> signal.says(Determination.ANOMALY))
                .isPresent();
        return ended.position().kind() == StepKind.TASK && anomaly
                ? pause(PauseReason.ANOMALY, says("reports an anomaly"), AfterStep.REDO)
                : Optional.empty();
    }

    private String says(String otherwise) {
        return ended.finding().line(otherwise);
    }

    private Optional<RuleResult> pause(PauseReason reason, String message, AfterStep after) {
        return pause(Pause.of(reason, message, at), after);
    }

    private Optional<RuleResult> pause(Pause pause, AfterStep after) {
        return Optional.of(new RuleResult.PauseFor(pause.at(ended.step()), after));
    }

    private Optional<RuleResult> end(EndReason cause) {
        EndReason here = cause.work().isPresent() ? cause : cause.about(unit());
        return Optional.of(new RuleResult.End(here, StopMode.TERMINATE, AfterStep.REDO));
    }

    private Optional<String> unit() {
        return ended.position().unit();
    }
}
