package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.SweepStep;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
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
 * Sweeps the survivors of ended steps again and reports the result to their run. After a few failed attempts it reports
 * them as not swept, since they may still run.
 */
final class SurvivorSweeps {
    private static final Logger LOG = LoggerFactory.getLogger(SurvivorSweeps.class);
    /** Longer than any grace. */
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
    /**
     * The process supervisor retries transient failures itself: what fails here is an internal error, which mostly
     * stays.
     */
    private static final int TRIES = 5;

    private final Vertx vertx;
    private final Function<KillReceipt, Future<Void>> keep;
    private final Duration pause;

    /** @param keep stores a receipt; does not fail */
    SurvivorSweeps(Vertx vertx, Function<KillReceipt, Future<Void>> keep) {
        this(vertx, keep, RETRY_DELAY);
    }

    SurvivorSweeps(Vertx vertx, Function<KillReceipt, Future<Void>> keep, Duration pause) {
        this.vertx = vertx;
        this.keep = keep;
        this.pause = pause;
    }

    /** @param reply receives the result of all steps once, unless the runtime ends first */
    void sweep(RunState run, RunCommand.Sweep command, Consumer<RunInput.Swept> reply) {
        List<Future<StepSwept>> sweeps = command.stepIds().stream()
                .map(stepId -> sweep(run, stepId, command.now(), TRIES))
                .toList();
        Future.all(sweeps).onSuccess(all -> reply.accept(new RunInput.Swept(Instants.now(), all.list())));
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
            LOG.warn("run {}: the sweep of survivors failed, retrying", run.runId(), cause);
            return vertx.timer(pause.toMillis()).compose(tick -> sweep(run, stepId, now, tries - 1));
        });
    }

    private Future<StepSwept> sweep(String runId, String stepId, boolean now) {
        return ProcessChannels.SWEEP
                .ask(vertx.eventBus(), new SweepStep(runId, stepId, now), TIMEOUT)
                .compose(receipt -> keep.apply(receipt).map(kept -> StepOutcomes.swept(stepId, receipt)));
    }
}
