package dev.loopkeeper.scheduler;

import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunSlots;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.work.TransientFailure;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executes the commands of durable decisions and logs their events. Used from one context only. */
final class DecisionEffects {
    private static final Logger LOG = LoggerFactory.getLogger(DecisionEffects.class);
    private final Vertx vertx;
    private final RunActors actors;
    private final RunCapacity capacity;
    private final WakeTimers timers;
    private final LaunchPermits permits;
    private final StepRunner steps;
    private final GitOrders orders;
    private final SurvivorSweeps sweeps;
    private final RuntimeEnd runtimeEnd;

    DecisionEffects(
            Vertx vertx,
            RunActors actors,
            RunCapacity capacity,
            WakeTimers timers,
            LaunchPermits permits,
            StepRunner steps,
            RuntimeEnd runtimeEnd) {
        this.vertx = vertx;
        this.actors = actors;
        this.capacity = capacity;
        this.timers = timers;
        this.permits = permits;
        this.steps = steps;
        this.orders = new GitOrders(steps.git());
        this.sweeps = new SurvivorSweeps(vertx, steps.receipts()::keep);
        this.runtimeEnd = runtimeEnd;
    }

    /** See {@link RunHost#execute}. */
    void execute(RunActor run, Decision decision) {
        actors.publish(decision.state());
        List<Runnable> effects = new ArrayList<>();
        if (EventLog.isEnabled()) {
            decision.events().forEach(event -> effects.add(() -> EventLog.write(run.runId(), event)));
        }
        decision.commands().forEach(command -> effects.add(() -> execute(run, command)));
        if (decision.state().condition() instanceof Condition.Stopping
                || decision.state().condition() instanceof Condition.Ended) {
            effects.add(() ->
                    orders.end(run.runId(), () -> actors.loaded(run.runId()).map(RunActor::state)));
        }
        if (decision.state().condition().atRest()) {
            effects.add(() -> timers.cancel(run.runId()));
            effects.add(() -> vertx.runOnContext(later -> actors.releaseIfOver(run)));
        }
        if (decision.state().condition() instanceof Condition.Ended) {
            effects.add(() -> runtimeEnd.ended(run));
        }
        if (!decision.events().isEmpty() && !RunSlots.holds(decision.state().condition())) {
            effects.add(capacity::fillSoon);
        }
        runAll(effects);
    }

    /** Runs all effects in order, then throws the first failure with the others suppressed in it. */
    private static void runAll(List<Runnable> effects) {
        RuntimeException first = null;
        for (Runnable effect : effects) {
            try {
                effect.run();
            } catch (RuntimeException | Error failure) {
                RuntimeException broken = new IllegalStateException("an effect failed: " + failure, failure);
                if (first == null) {
                    first = broken;
                } else {
                    first.addSuppressed(broken);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private void execute(RunActor run, RunCommand command) {
        if (command instanceof RunCommand.Launch launch) {
            launch(launch);
        } else if (command instanceof RunCommand.AskPermit asked) {
            permits.ask(run, asked);
        } else if (command instanceof RunCommand.StopStep stop) {
            steps.stops().stop(run.runId(), stop.stepId(), stop.now());
        } else if (command instanceof RunCommand.Sweep sweep) {
            sweeps.sweep(run.state(), sweep, run::deliver);
        } else if (command instanceof RunCommand.WakeAt wake) {
            timers.wake(run, wake.due());
        } else if (command instanceof RunCommand.ReadItems read) {
            // A new actor may have replaced this one by then; it waits for the same items.
            steps.items()
                    .read(
                            run.state(),
                            read,
                            input -> actors.loaded(run.runId()).ifPresent(loaded -> loaded.deliver(input)));
        } else if (command instanceof RunCommand.Git order) {
            orders.execute(run.runId(), () -> held(run), order, run::report, cause -> gitFailed(run, cause));
        }
    }

    /** The current state of the run; empty once this actor was released, even where a new actor has loaded the run. */
    private Optional<RunState> held(RunActor run) {
        return actors.loaded(run.runId()).filter(loaded -> loaded == run).map(RunActor::state);
    }

    /** Launches a step, or abandons it where that throws: an unsupervised step would stay open for ever. */
    private void launch(RunCommand.Launch launch) {
        try {
            if (launch.lost()) {
                steps.conclude(launch.step());
            } else {
                steps.launch(launch.step(), launch.recovered());
            }
        } catch (RuntimeException | Error failure) {
            steps.abandon(launch.step().runId(), launch.step().stepId(), failure);
        }
    }

    private static void gitFailed(RunActor run, Throwable cause) {
        if (TransientFailure.isShutdown(cause)) {
            LOG.debug("run {}: the pending git command is left to the next runtime", run.runId());
            return;
        }
        LOG.error("run {}: the git command could not be sent", run.runId(), cause);
        run.deliver(StepListener.broken(cause.toString()));
    }
}
