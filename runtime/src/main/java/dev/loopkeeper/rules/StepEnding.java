package dev.loopkeeper.rules;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.Copies;
import dev.loopkeeper.run.EndCause;
import dev.loopkeeper.run.LoopWork;
import dev.loopkeeper.run.OpenStep;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.Slot;
import dev.loopkeeper.run.SlotKind;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.StepNote;
import dev.loopkeeper.run.StepRetrying;
import dev.loopkeeper.run.StepSignal;
import dev.loopkeeper.run.StepSwept;
import dev.loopkeeper.run.TerminalExhaustionCleared;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepResult;
import dev.loopkeeper.step.StepStatus;
import dev.loopkeeper.termination.ClearedExhaustion;
import dev.loopkeeper.termination.PauseReason;
import java.util.List;
import java.util.Optional;

/** What the end of a step means: its record, then whatever the first rule that holds says. */
final class StepEnding {
    private final Draft draft;
    private final StepJudgement judged;
    private final StepNote note;
    private final Ruling ruling;
    private final boolean underStop;

    private StepEnding(Draft draft, StepJudgement judged) {
        this.draft = draft;
        this.judged = judged;
        this.note = judged.note();
        this.ruling = new StepRules(withEnd(draft, judged), judged, draft.at()).decide();
        this.underStop = draft.state().condition() instanceof Condition.Stopping stopping && !stopping.graceful();
    }

    static Decision decide(Draft draft, RunInput.StepEnded input) {
        OpenStep step = draft.state().steps().get(input.stepId());
        if (step == null) {
            return Decision.late(draft.state(), "the end of " + input.stepId() + ", which is not open");
        }
        Optional<RunState.Aside> aside = draft.state().aside();
        StepEnding ending = new StepEnding(draft, StepJudgement.of(draft.state(), step, input.outcome()));
        ending.record();
        if (ending.underStop) {
            ending.nameSurvivors();
        } else {
            ending.act(aside);
        }
        Advance.run(draft);
        return draft.done();
    }

    /** Rules about money look at the state in which this step's usage is final. */
    private static RunState withEnd(Draft draft, StepJudgement judged) {
        OpenStep counted = judged.step().withUsage(judged.usage());
        return draft.state().withSteps(Copies.plus(draft.state().steps(), counted.stepId(), counted));
    }

    /** Whether a resume goes on after this step; else it launches the step again. */
    private boolean consumed() {
        if (underStop && (judged.outcome().cause() != ExitCause.EXITED || judged.failed())) {
            return false;
        }
        if (ruling instanceof Ruling.PauseFor pause) {
            return pause.after() != AfterStep.REDO;
        }
        if (ruling instanceof Ruling.End end) {
            return end.after() != AfterStep.REDO;
        }
        return !(ruling instanceof Ruling.TryAgain);
    }

    private void record() {
        OpenStep step = judged.step();
        StepOutcome outcome = judged.outcome();
        boolean known = judged.signal().isEmpty()
                || step.signalSeen().equals(judged.signal().map(signal -> signal.raw()));
        if (!known) {
            draft.emit(
                    new StepSignal(step.stepId(), judged.signal().orElseThrow().raw()));
        }
        if (!outcome.swept().isEmpty() || !outcome.survivors().isEmpty()) {
            draft.emit(StepSwept.of(step.stepId(), outcome.swept(), outcome.survivors()));
        }
        StepResult result = judged.result(snapshot());
        draft.emit(finished(result));
        clearExhaustion(result);
        BudgetRules.warn(draft);
        BudgetRules.warnOfUntold(draft, judged);
    }

    private Optional<JsonNode> snapshot() {
        boolean counts = consumed() && !underStop;
        return counts ? LoopRules.snapshotAfter(draft.state(), judged.step().slot(), note) : Optional.empty();
    }

    private StepFinished finished(StepResult result) {
        OpenStep step = judged.step();
        Slot slot = step.slot();
        return new StepFinished(
                step.stepId(),
                slot.phase(),
                slot.iteration(),
                slot.item(),
                step.agent(),
                step.attempt(),
                judged.outcome().pid(),
                result,
                consumed(),
                slot,
                note,
                BudgetRules.costUnknown(draft.state(), judged));
    }

    private void clearExhaustion(StepResult result) {
        String by = judged.step().stepId();
        draft.state().ledger().exhaustion().ifPresent(record -> {
            if (result.status() == StepStatus.COMPLETED) {
                draft.emit(new TerminalExhaustionCleared(new ClearedExhaustion(record, by, draft.at())));
            }
        });
    }

    /** A stop is not done while something of it is left: the run pauses instead of ending. */
    private void nameSurvivors() {
        if (ruling instanceof Ruling.PauseFor pause && pause.pause().reason() == PauseReason.SURVIVORS) {
            draft.pause(pause.pause());
        }
    }

    private void act(Optional<RunState.Aside> aside) {
        SlotKind kind = judged.step().slot().kind();
        if (ruling instanceof Ruling.PauseFor pause) {
            if (pause.after() == AfterStep.CUT_SHORT) {
                cutShort();
            }
            draft.pause(pause.pause());
        } else if (ruling instanceof Ruling.End end) {
            end(end);
        } else if (ruling instanceof Ruling.TryAgain again) {
            draft.emit(StepRetrying.of(judged.step().stepId(), again.retry()));
        } else if (kind == SlotKind.ASIDE) {
            Resumption.afterAside(draft, aside.orElseThrow(), judged);
        } else if (kind == SlotKind.TASK || kind == SlotKind.GATE) {
            SingleRules.ended(draft, judged);
        }
    }

    private void end(Ruling.End end) {
        List<String> beside = end.after() == AfterStep.REDO
                ? List.of()
                : LoopRules.closing(draft).stream().flatMap(EndCause::labels).toList();
        draft.end(end.cause().beside(beside), end.mode());
    }

    private void cutShort() {
        if (draft.state().cursor().work() instanceof LoopWork loop
                && loop.current().isPresent()) {
            LoopPhase phase = (LoopPhase) draft.state().phase().orElseThrow();
            LoopRules.cutShort(draft, phase, loop.current().get());
        }
    }
}
