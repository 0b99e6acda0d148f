package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.GatePhase;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.manifest.TaskPhase;
import dev.loopkeeper.run.EndCause;
import dev.loopkeeper.run.PhaseFinished;
import dev.loopkeeper.run.PhaseOutcome;
import dev.loopkeeper.run.Retry;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.Slot;
import dev.loopkeeper.run.SlotKind;
import dev.loopkeeper.run.StepNote;
import dev.loopkeeper.run.Work;
import dev.loopkeeper.statistics.UnitOutcome;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.verdict.Determination;
import dev.loopkeeper.verdict.SignalStatus;
import dev.loopkeeper.verdict.SignalVerdict;
import java.util.Map;
import java.util.Optional;

/** What follows in a task or a gate: one step, and what it means for the phase. */
final class SingleRules {
    private SingleRules() {}

    /** Launches the step unless it is open already, or did its work before the run was held back. */
    static boolean next(Draft draft, PhaseSpec phase, Work.Single work) {
        RunState state = draft.state();
        if (work.passed()) {
            draft.finishPhase(PhaseOutcome.PASSED, phase.name() + " was done already");
            return true;
        }
        boolean waits = state.retries().values().stream().anyMatch(Retry::waiting);
        if (state.steps().isEmpty() && !waits && draft.mayStart()) {
            Slot slot = slot(phase);
            String agent = Slots.agentOf(state, slot).orElseThrow();
            draft.launch(slot, agent, launches(state, phase.name() + "." + agent + ".") + 1, false);
        }
        return false;
    }

    private static Slot slot(PhaseSpec phase) {
        SlotKind kind = phase instanceof GatePhase ? SlotKind.GATE : SlotKind.TASK;
        return new Slot(kind, phase.name(), Optional.empty(), Optional.empty(), 0);
    }

    private static int launches(RunState state, String prefix) {
        return (int) state.cursor().launches().entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(prefix))
                .map(Map.Entry::getKey)
                .count();
    }

    /** The step ended and no rule paused or ended the run. */
    static void ended(Draft draft, StepJudgement judged) {
        PhaseSpec phase = draft.state().phase().orElseThrow();
        if (phase instanceof GatePhase gate) {
            gateEnded(draft, gate, judged);
        } else if (phase instanceof TaskPhase task) {
            taskEnded(draft, task, judged);
        }
    }

    private static void taskEnded(Draft draft, TaskPhase task, StepJudgement judged) {
        StepNote note = judged.note();
        if (note.outcome() == UnitOutcome.APPROVED) {
            draft.finishPhase(PhaseOutcome.PASSED, task.agent() + " is done"); // 7
        } else {
            String summary = task.name() + " failed: " + cause(judged);
            fail(
                    draft,
                    task,
                    EndCause.of(StandardReason.CRITICAL_PHASE, summary).because(judged.error()));
        }
    }

    private static void gateEnded(Draft draft, GatePhase gate, StepJudgement judged) {
        StepNote note = judged.note();
        boolean partial = says(judged, SignalStatus.PARTIAL);
        boolean decided = note.verdict().isPresent() || note.determination().isPresent();
        boolean exitedWell = judged.outcome().exitCode().orElse(1) == 0 && !says(judged, SignalStatus.BLOCKED);
        boolean passed = decided ? note.outcome() == UnitOutcome.APPROVED : !note.failed() && exitedWell;
        if (partial && (!decided || passed)) {
            draft.finishPhase(PhaseOutcome.WARNED, gate.agent() + " passed in part");
        } else if (passed) {
            draft.finishPhase(PhaseOutcome.PASSED, gate.agent() + " passed");
        } else {
            gateFailed(draft, gate, judged);
        }
    }

    private static boolean says(StepJudgement judged, SignalStatus status) {
        return judged.signal()
                .flatMap(signal -> signal.status())
                .filter(status::equals)
                .isPresent();
    }

    private static void gateFailed(Draft draft, GatePhase gate, StepJudgement judged) {
        int index = draft.state().cursor().phaseIndex();
        int used = draft.state().cursor().gateRetries().getOrDefault(gate.name(), 0);
        if (used < gate.retries() && index > 0) {
            String message = cause(judged) + "; the phase before it runs again";
            draft.emit(new PhaseFinished(gate.name(), PhaseOutcome.FAILED, message, index - 1));
            return;
        }
        String summary = "gate " + gate.name() + " failed: " + cause(judged);
        fail(draft, gate, EndCause.of(StandardReason.GATE_FAILED, summary).because(judged.error()));
    }

    private static void fail(Draft draft, PhaseSpec phase, EndCause cause) {
        if (phase.critical()) {
            draft.end(cause, StopMode.TERMINATE);
        } else {
            draft.finishPhase(PhaseOutcome.FAILED, cause.summary());
        }
    }

    private static String cause(StepJudgement judged) {
        String agent = judged.step().agent();
        if (judged.signal().isPresent()) {
            String verdict = judged.note()
                    .verdict()
                    .map(SignalVerdict::wire)
                    .or(() -> judged.note().determination().map(Determination::wire))
                    .orElse("no");
            String words = judged.finding().whole();
            return agent + " says " + verdict + (words.isEmpty() ? "" : ": " + words);
        }
        return agent + ": " + judged.error().map(ErrorContext::message).orElse("it failed");
    }
}
