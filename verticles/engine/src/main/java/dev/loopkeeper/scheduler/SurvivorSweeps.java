package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.process.KillReceipt;
import dev.loopkeeper.contract.process.ProcessChannels;
import dev.loopkeeper.contract.process.SweepStep;
import dev.loopkeeper.rules.RunCommand;
import dev.loopkeeper.rules.RunInput;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.StepSwept;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.TransientFailure;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the survivors of ended steps swept again, and tells their run. Asks a few times until it is answered; then they are
 * told to be left, since what is not known gone may live.
 */
final class SurvivorSweeps {
    private static final Logger LOG = LoggerFactory.getLogger(SurvivorSweeps.class);
    /** Beyond any grace. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final Duration AGAIN_AFTER = Duration.ofSeconds(1);
    /** Trouble of the machine is waited for by whoever sweeps: what fails here is a flaw, which mostly stays. */
    private static final int TRIES = 5;

    private final Vertx vertx;
    private final Function<KillReceipt, Future<Void>> keep;
    private final Duration pause;

    /** @param keep stores a receipt; does not fail */
    SurvivorSweeps(Vertx vertx, Function<KillReceipt, Future<Void>> keep) {
        this(vertx, keep, AGAIN_AFTER);
    }

    SurvivorSweeps(Vertx vertx, Function<KillReceipt, Future<Void>> keep, Duration pause) {
        this.vertx = vertx;
        this.keep = keep;
        this.pause = pause;
    }

    /** @param told hears once of all the steps, unless the runtime ends before */
    void sweep(RunState run, RunCommand.Sweep command, Consumer<RunInput.Swept> told) {
        List<Future<StepSwept>> sweeps = command.stepIds().stream()
                .map(stepId -> sweep(run, stepId, command.now(), TRIES))
                .toList();
        Future.all(sweeps).onSuccess(all -> told.accept(new RunInput.Swept(Instants.now(), all.list())));
    }

    private Future<StepSwept> sweep(RunState run, String stepId, boolean now, int tries) {
        return sweep(run.runId(), stepId, now).recover(cause -> {
            if (TransientFailure.isShutdown(cause)) {
                return Future.failedFuture(cause);
            }
            if (tries <= 1) {
                LOG.error("run {}: the survivors of {} cannot be swept", run.runId(), stepId, cause);
                return Future.succeededFuture(StepSwept.unmade(stepId, run, cause.getMessage()));
            }
            LOG.warn("run {}: the sweep of survivors is asked again", run.runId(), cause);
            return vertx.timer(pause.toMillis()).compose(tick -> sweep(run, stepId, now, tries - 1));
        });
    }

    private Future<StepSwept> sweep(String runId, String stepId, boolean now) {
        return ProcessChannels.SWEEP
                .ask(vertx.eventBus(), new SweepStep(runId, stepId, now), PATIENCE)
                .compose(receipt -> keep.apply(receipt).map(kept -> StepOutcomes.swept(stepId, receipt)));
    }
}
