package dev.loopkeeper.rules;

import dev.loopkeeper.pool.PoolInput;
import dev.loopkeeper.rules.message.Capacity;
import dev.loopkeeper.rules.message.LaunchGates;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.run.step.Retry;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ErrorKind;
import java.time.Instant;
import java.util.Optional;

/** Decides what runs of a pool may launch, and which ends of steps begin a cool-down. */
public final class PoolRules {
    private PoolRules() {}

    /** Whether the run may launch steps: it neither pauses nor ends at once. */
    public static boolean mayLaunch(RunState state) {
        return state.condition() instanceof Condition.Stopping stopping
                ? stopping.graceful()
                : state.condition().proceeds() && state.pauses().isEmpty();
    }

    /** Whether the step succeeded. */
    public static boolean endedWell(RunState state, RunInput.StepEnded ended) {
        OpenStep step = state.steps().get(ended.stepId());
        return step != null && StepJudgement.of(state, step, ended.outcome()).succeeded();
    }

    /**
     * The limit that the step met: a usage window, or a rate limit that lasts longer than the backoff of the run. The
     * agent may have reported it and ended for another reason.
     */
    public static Optional<PoolInput.Limit> limit(RunState state, RunInput.StepEnded ended, LaunchGates gates) {
        OpenStep step = state.steps().get(ended.stepId());
        if (step == null) {
            return Optional.empty();
        }
        StepJudgement judgement = StepJudgement.of(state, step, ended.outcome());
        Instant backoff = judgement
                .exit()
                .endedAt()
                .plus(state.manifest().retry().backoff().max());
        Optional<ErrorContext> error = judgement
                .error()
                .filter(PoolRules::isLimit)
                .or(() -> judgement.report().error().filter(PoolRules::isLimit));
        return error.filter(limit -> !judgement.succeeded())
                .flatMap(limit -> judgement
                        .report()
                        .resumeAt()
                        .or(() -> limit.statedDelay().map(judgement.exit().endedAt()::plus))
                        .filter(until -> limit.is(ErrorKind.USAGE_WINDOW) || until.isAfter(backoff))
                        .map(until -> new PoolInput.Limit(
                                ended.at(),
                                state.runId(),
                                step.stepId(),
                                until,
                                Retry.waitsFor(step.agent(), limit),
                                returnsAt(state, ended, step, gates))));
    }

    private static boolean isLimit(ErrorContext error) {
        return error.is(ErrorKind.USAGE_WINDOW) || error.is(ErrorKind.RATE_LIMIT);
    }

    /** When the run launches the step again automatically. */
    private static Optional<Instant> returnsAt(
            RunState state, RunInput.StepEnded ended, OpenStep step, LaunchGates gates) {
        RunState after = RunMachine.decide(state, ended, ended.at(), Capacity.NONE, gates)
                .state();
        return after.condition() instanceof Condition.Paused paused
                ? paused.pause().resumeAt()
                : Optional.ofNullable(after.retries().get(step.position().key()))
                        .filter(Retry::waiting)
                        .map(Retry::dueAt);
    }
}
