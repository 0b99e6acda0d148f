package dev.loopkeeper.scheduler;

import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunSlots;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.Condition;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executes the commands of durable decisions and logs their events. Used from one context only. */
final class DecisionEffects {
    private static final Logger LOG = LoggerFactory.getLogger(DecisionEffects.class);

    private final Scheduler scheduler;
    private final RunActors actors;
    private final GitOrders orders;
    private final ItemsReads items;
    private final SurvivorSweeps sweeps;

    DecisionEffects(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.actors = scheduler.actors;
        this.orders = new GitOrders(scheduler);
        this.items = new ItemsReads(scheduler.outcomes.workers(), scheduler.git, scheduler.data);
        this.sweeps = new SurvivorSweeps(scheduler.vertx, scheduler.receipts::keep);
    }

    /** Executes a durable decision. */
    void execute(RunActor run, Decision decision) {
        scheduler.signals.decided(decision.state());
        scheduler.places.decided(decision.state());
        actors.publish(decision.state());
        List<Runnable> effects = new ArrayList<>();
        if (EventLog.isEnabled()) {
            decision.events().forEach(event -> effects.add(() -> EventLog.write(run.runId(), event)));
        }
        decision.commands().forEach(command -> effects.add(() -> execute(run, command)));
        if (decision.state().condition() instanceof Condition.Stopping
                || decision.state().condition() instanceof Condition.Ended) {
            effects.add(() -> orders.end(run.runId()));
        }
        if (decision.state().condition().atRest()) {
            effects.add(run::cancelTimer);
            effects.add(() -> scheduler.vertx.runOnContext(later -> actors.releaseIfOver(run)));
        }
        if (decision.state().condition() instanceof Condition.Ended) {
            effects.add(() -> scheduler.runtimeEnd.ended(run));
        }
        if (!decision.events().isEmpty() && !RunSlots.holds(decision.state().condition())) {
            effects.add(scheduler.capacity::fillSoon);
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
            scheduler.permits.ask(run, asked);
        } else if (command instanceof RunCommand.StopStep stop) {
            scheduler.stops.stop(run.runId(), stop.stepId(), stop.now());
        } else if (command instanceof RunCommand.Sweep sweep) {
            sweeps.sweep(run.state(), sweep, run::deliver);
        } else if (command instanceof RunCommand.WakeAt wake) {
            run.wakeAt(wake.due());
        } else if (command instanceof RunCommand.ReadItems read) {
            // A new actor may have replaced this one by then; it waits for the same items.
            items.read(run.state(), read, input -> actors.deliver(run.runId(), input));
        } else if (command instanceof RunCommand.Git order) {
            orders.execute(run, order);
        }
    }

    /** Launches a step, or abandons it where that throws: an unsupervised step would stay open for ever. */
    private void launch(RunCommand.Launch launch) {
        try {
            if (launch.lost()) {
                scheduler.steps.conclude(launch.step());
            } else {
                scheduler.steps.launch(launch.step(), launch.recovered());
            }
        } catch (RuntimeException | Error failure) {
            scheduler.steps.abandon(launch.step().runId(), launch.step().stepId(), failure);
        }
    }

    /**
     * Deciding on this input, or executing its durable decision, failed with an internal error: ends the run; where
     * that fails too, at least stops its processes. Names the input by its type, since its content may be a megabyte.
     */
    void broken(RunActor run, RunInput input, Throwable failure) {
        LOG.error(
                "run {}: an internal error at {}", run.runId(), input.getClass().getSimpleName(), failure);
        if (input instanceof RunInput.Broken) {
            run.state().steps().keySet().forEach(stepId -> scheduler.stops.stopWhateverBreaks(run.runId(), stepId));
        } else {
            run.deliver(RunActors.broken(failure.toString()));
        }
    }
}
