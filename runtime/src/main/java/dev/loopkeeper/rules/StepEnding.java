package dev.loopkeeper.rules;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.rules.RuleResult.AfterStep;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.RunStopping;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.StepRetrying;
import dev.loopkeeper.run.StepSignal;
import dev.loopkeeper.run.StepSwept;
import dev.loopkeeper.run.TerminalExhaustionCleared;
import dev.loopkeeper.run.WorkspaceCommitted;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.run.step.Retry;
import dev.loopkeeper.run.step.RetryReason;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.run.step.StepSummary;
import dev.loopkeeper.step.EarlierSession;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepResult;
import dev.loopkeeper.termination.ClearedExhaustion;
import dev.loopkeeper.termination.EndReason;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.verdict.Signal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Handles the end of a step: records it, then applies the first rule that matches. */
final class StepEnding {
    private static final String PASSES_ALREADY = "until.command passes before the first iteration and proves nothing;"
            + " it counts once an iteration has changed the workspace (first: false lets it count at once)";

    private final DecisionBuilder builder;
    private final StepJudgement judgement;
    private final StepSummary note;
    private final RuleResult result;
    private final boolean underStop;

    private StepEnding(DecisionBuilder builder, StepJudgement judgement) {
        this.builder = builder;
        this.judgement = judgement;
        this.note = judgement.note();
        boolean guarded = builder.guards(judgement.step().agent());
        this.result = new StepRules(withEnd(), judgement, builder.at(), guarded).decide();
        this.underStop = builder.state().condition() instanceof Condition.Stopping stopping && !stopping.graceful();
    }

    static Decision decide(DecisionBuilder builder, RunInput.StepEnded input) {
        OpenStep step = builder.state().steps().get(input.stepId());
        if (step == null) {
            return Decision.late(builder.state(), "the end of " + input.stepId() + ", which is not open");
        }
        Optional<RunState.Consultation> consultation = builder.state().consultation();
        StepEnding ending = new StepEnding(builder, StepJudgement.of(builder.state(), step, input.outcome()));
        ending.record();
        if (ending.underStop) {
            ending.nameSurvivors();
            ending.nameEnding();
        } else {
            ending.act(consultation);
        }
        PhaseDriver.run(builder);
        return builder.done();
    }

    /** Budget rules see the state with this step's final usage and time. */
    private RunState withEnd() {
        OpenStep counted = judgement.step().withUsage(judgement.usage());
        RunState state = builder.state().counting(counted);
        return unattendedMs()
                .map(millis -> state.unattended(millis, builder.at()))
                .orElse(state);
    }

    /** Whether a resume continues after this step; otherwise it launches the step again. */
    private boolean consumed() {
        if (underStop && (judgement.cancelled() || judgement.failed())) {
            return false;
        }
        return result.after() == AfterStep.GO_ON || (result.after() == AfterStep.CUT_SHORT && !underStop);
    }

    /** Records a signal of this step unless its last event holds the same. */
    static void record(DecisionBuilder builder, OpenStep step, Signal signal) {
        StepSignal seen = StepSignal.of(step.stepId(), signal.raw());
        if (!step.signalSeen().equals(Optional.of(seen.signal()))) {
            builder.emit(seen);
        }
    }

    private void record() {
        OpenStep step = judgement.step();
        StepOutcome outcome = judgement.outcome();
        judgement.written().ifPresent(signal -> record(builder, step, signal));
        if (!outcome.sweep().swept().isEmpty() || !outcome.sweep().survivors().isEmpty()) {
            builder.emit(StepSwept.of(
                    step.stepId(), outcome.sweep().swept(), outcome.sweep().survivors()));
        }
        outcome.git().flatMap(StepOutcome.Git::commit).ifPresent(commit -> builder.emit(committed(commit)));
        outcome.git().map(StepOutcome.Git::warnings).orElse(List.of()).forEach(this::warn);
        AskRules.stepEnded(builder, step.stepId());
        builder.emit(finished(judgement.result(snapshot())));
        clearExhaustion();
        BudgetRules.warn(builder);
        BudgetRules.warnOfUnreported(builder, judgement);
    }

    /** Each warning is recorded once in a run, since it applies until a person acts. */
    private void warn(String warning) {
        if (!builder.state().ledger().warned().contains(warning)) {
            builder.emit(Notice.once("worktree-warning", warning, warning));
        }
    }

    private Optional<JsonNode> snapshot() {
        boolean counts = consumed() && !underStop;
        return counts ? LoopRules.snapshotAfter(builder.state(), judgement.position(), note) : Optional.empty();
    }

    private WorkspaceCommitted committed(StepOutcome.Commit commit) {
        return new WorkspaceCommitted(
                judgement.step().stepId(),
                judgement.position().item(),
                WorktreeNames.of(builder.state(), judgement.position().item())
                        .map(worktree -> worktree.branch().head())
                        .orElse(commit.hash()),
                commit.hash(),
                commit.changes(),
                commit.total());
    }

    private StepFinished finished(StepResult result) {
        OpenStep step = judgement.step();
        StepPosition position = step.position();
        return new StepFinished(
                step.stepId(),
                step.agent(),
                step.attempt(),
                judgement.exit().pid(),
                result,
                consumed(),
                position,
                note,
                BudgetRules.costUnknown(builder.state(), judgement),
                SessionRules.left(builder.state(), judgement),
                unattendedMs());
    }

    /**
     * The time without a runtime, for the last step that an earlier runtime launched: another step may have run until
     * then.
     */
    private Optional<Long> unattendedMs() {
        String stepId = judgement.step().stepId();
        boolean last = builder.state().steps().values().stream()
                .noneMatch(open -> open.takenOver() && !open.stepId().equals(stepId));
        long millis = Duration.between(judgement.exit().endedAt(), builder.at()).toMillis();
        return judgement.step().takenOver() && last && millis > 0 ? Optional.of(millis) : Optional.empty();
    }

    private void clearExhaustion() {
        String by = judgement.step().stepId();
        builder.state().ledger().exhaustion().ifPresent(record -> {
            if (judgement.succeeded()) {
                builder.emit(new TerminalExhaustionCleared(new ClearedExhaustion(record, by, builder.at())));
            }
        });
    }

    /** A stop is incomplete while a process remains: the run pauses instead of ending. */
    private void nameSurvivors() {
        if (result instanceof RuleResult.PauseFor pause && pause.pause().reason() == PauseReason.SURVIVORS) {
            builder.pause(pause.pause());
        }
    }

    /**
     * A step's own ending is listed beside the stop that interrupted it, unless the stop may have caused it. The budget
     * is checked when the run ends.
     */
    private void nameEnding() {
        boolean launched = judgement.cause() != ExitCause.LAUNCH_FAILED;
        boolean committed =
                judgement.outcome().git().flatMap(StepOutcome.Git::failure).isEmpty();
        if (launched
                && committed
                && result instanceof RuleResult.End end
                && end.cause().stopCause().isEmpty()
                && builder.state().condition() instanceof Condition.Stopping stopping) {
            builder.emit(new RunStopping(end.cause(), false, stopping.now(), stopping.sweeping()));
        }
    }

    private void act(Optional<RunState.Consultation> consultation) {
        StepKind kind = judgement.position().kind();
        if (result instanceof RuleResult.PauseFor pause) {
            if (pause.after() == AfterStep.CUT_SHORT) {
                cutShort();
            }
            builder.pause(pause.pause());
        } else if (result instanceof RuleResult.End end) {
            end(end);
        } else if (result instanceof RuleResult.TryAgain again) {
            tryAgain(again.retry());
        } else if (kind == StepKind.CONSULTATION) {
            Resumption.afterConsultation(builder, consultation.orElseThrow(), judgement);
        } else if (kind == StepKind.CHECK
                && judgement.position().iteration().isEmpty()
                && note.loop().matched()) {
            builder.emit(Notice.of(
                    "check-passes-already",
                    PASSES_ALREADY,
                    List.of(judgement.step().stepId())));
        } else if (kind == StepKind.TASK || kind == StepKind.GATE) {
            SingleRules.ended(builder, judgement);
        }
    }

    /** When the circuit breaker is reached, the run ends instead of retrying. */
    private void tryAgain(Retry retry) {
        if (builder.isHalted()) {
            return;
        }
        String stepId = judgement.step().stepId();
        if (retry.reason() == RetryReason.SESSION) {
            String session = judgement.step().session().map(EarlierSession::id).orElse("");
            builder.emit(Notice.of(
                    "session-lost",
                    "the session " + session + " of " + judgement.agent()
                            + " could not be continued; the step is launched again in a fresh one",
                    List.of(stepId)));
        }
        builder.emit(StepRetrying.of(stepId, retry));
    }

    private void end(RuleResult.End end) {
        List<String> beside = end.after() == AfterStep.REDO
                ? List.of()
                : LoopRules.closing(builder).stream().flatMap(EndReason::labels).toList();
        builder.end(end.cause().withOthers(beside), end.mode());
    }

    private void cutShort() {
        if (builder.state().cursor().work() instanceof LoopWork loop
                && loop.current().isPresent()) {
            LoopPhase phase = (LoopPhase) builder.state().phase().orElseThrow();
            LoopRules.cutShort(builder, phase, loop.current().get());
        }
    }
}
