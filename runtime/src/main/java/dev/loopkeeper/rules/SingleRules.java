package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.GatePhase;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.manifest.TaskPhase;
import dev.loopkeeper.run.PhaseFinished;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.progress.PhaseOutcome;
import dev.loopkeeper.run.progress.Work;
import dev.loopkeeper.run.step.Finding;
import dev.loopkeeper.run.step.Retry;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.run.step.StepSummary;
import dev.loopkeeper.statistics.UnitOutcome;
import dev.loopkeeper.termination.EndReason;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.verdict.SignalStatus;
import dev.loopkeeper.verdict.SignalVerdict;

/** Decides the next action of a task or a gate: its one step, and the outcome of the phase. */
final class SingleRules {
    private SingleRules() {}

    /** Launches the step unless it is open, or succeeded before the run was held back. */
    static boolean next(DecisionBuilder builder, PhaseSpec phase, Work.Single work) {
        RunState state = builder.state();
        if (work.passed()) {
            builder.finishPhase(PhaseOutcome.PASSED, phase.name() + " had already succeeded");
            return true;
        }
        boolean waits = state.retries().values().stream().anyMatch(Retry::waiting);
        if (state.steps().isEmpty() && !waits && builder.mayStart()) {
            launch(builder, phase);
        }
        return false;
    }

    private static void launch(DecisionBuilder builder, PhaseSpec phase) {
        RunState state = builder.state();
        StepPosition position = position(phase);
        String agent = StepAgents.agentOf(state, position).orElseThrow();
        builder.launch(position, agent, state.cursor().launches(phase.name() + "." + agent + ".") + 1);
    }

    private static StepPosition position(PhaseSpec phase) {
        return StepPosition.ofPhase(phase instanceof GatePhase ? StepKind.GATE : StepKind.TASK, phase.name());
    }

    /** The step ended and no rule paused or ended the run. */
    static void ended(DecisionBuilder builder, StepJudgement judgement) {
        PhaseSpec phase = builder.state().phase().orElseThrow();
        if (phase instanceof GatePhase gate) {
            gateEnded(builder, gate, judgement);
        } else if (phase instanceof TaskPhase task) {
            taskEnded(builder, task, judgement);
        }
    }

    private static void taskEnded(DecisionBuilder builder, TaskPhase task, StepJudgement judgement) {
        StepSummary note = judgement.note();
        if (note.outcome() == UnitOutcome.APPROVED) {
            builder.finishPhase(PhaseOutcome.PASSED, task.agent() + " is done"); // 7
        } else {
            String summary = task.name() + " failed: " + cause(judgement);
            fail(
                    builder,
                    task,
                    EndReason.of(StandardReason.CRITICAL_PHASE, summary).because(judgement.error()));
        }
    }

    private static void gateEnded(DecisionBuilder builder, GatePhase gate, StepJudgement judgement) {
        PhaseOutcome outcome = gateOutcome(judgement);
        if (outcome == PhaseOutcome.WARNED) {
            builder.finishPhase(outcome, gate.agent() + " passed partially");
        } else if (outcome == PhaseOutcome.PASSED) {
            builder.finishPhase(outcome, gate.agent() + " passed");
        } else {
            gateFailed(builder, gate, judgement);
        }
    }

    /** The outcome of a gate: passed, warned or failed. */
    static PhaseOutcome gateOutcome(StepJudgement judgement) {
        StepSummary note = judgement.note();
        boolean partial = judgement
                .signal()
                .filter(signal -> signal.says(SignalStatus.PARTIAL))
                .isPresent();
        boolean decided = note.rating().given();
        boolean exitedWell =
                judgement.exit().exitCode().orElse(1) == 0 && !judgement.said().notReady();
        boolean passed = decided ? note.outcome() == UnitOutcome.APPROVED : !note.failed() && exitedWell;
        if (partial && (!decided || passed)) {
            return PhaseOutcome.WARNED;
        }
        return passed ? PhaseOutcome.PASSED : PhaseOutcome.FAILED;
    }

    private static void gateFailed(DecisionBuilder builder, GatePhase gate, StepJudgement judgement) {
        int index = builder.state().cursor().phaseIndex();
        int used = builder.state().cursor().gateRetries().getOrDefault(gate.name(), 0);
        if (used < gate.retries() && index > 0) {
            String message = cause(judgement) + "; the previous phase runs again";
            builder.emit(new PhaseFinished(gate.name(), PhaseOutcome.FAILED, message, index - 1));
            return;
        }
        String summary = "gate " + gate.name() + " failed: " + cause(judgement);
        fail(builder, gate, EndReason.of(StandardReason.GATE_FAILED, summary).because(judgement.error()));
    }

    private static void fail(DecisionBuilder builder, PhaseSpec phase, EndReason cause) {
        if (phase.critical()) {
            builder.end(cause, StopMode.TERMINATE);
        } else {
            builder.finishPhase(PhaseOutcome.FAILED, cause.summary());
        }
    }

    private static String cause(StepJudgement judgement) {
        String agent = judgement.agent();
        if (!judgement.outcome().isPermitted()) {
            return agent + " was rejected: " + judgement.finding().complete();
        }
        if (judgement.signal().isPresent()) {
            StepSummary.Rating rating = judgement.note().rating();
            String verdict =
                    rating.verdict().map(SignalVerdict::wire).or(rating::word).orElse("no");
            String words = judgement.finding().complete();
            return agent + " says " + verdict + (words.isEmpty() ? "" : ": " + words);
        }
        return agent
                + judgement.error().map(error -> ": " + Finding.line(error)).orElse(" failed");
    }
}
