package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.process.KillReceipt;
import dev.loopkeeper.contract.process.ProcessChannels;
import dev.loopkeeper.contract.process.SweepStep;
import dev.loopkeeper.rules.RunCommand;
import dev.loopkeeper.rules.RunInput;
import dev.loopkeeper.run.StepSwept;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has the survivors of ended steps swept again, and tells their run; asks until it is answered. */
final class SurvivorSweeps {
    private static final Logger LOG = LoggerFactory.getLogger(SurvivorSweeps.class);
    /** Beyond any grace. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final Duration AGAIN_AFTER = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final Function<KillReceipt, Future<Void>> keep;

    /** @param keep stores a receipt; does not fail */
    SurvivorSweeps(Vertx vertx, Function<KillReceipt, Future<Void>> keep) {
        this.vertx = vertx;
        this.keep = keep;
    }

    void sweep(RunActor run, RunCommand.Sweep command) {
        List<Future<StepSwept>> sweeps = command.stepIds().stream()
                .map(stepId -> sweep(run.runId(), stepId, command.now()))
                .toList();
        Future.all(sweeps)
                .onComplete(
                        all -> run.tell(new RunInput.Swept(Instants.now(), all.list())),
                        cause -> again(run, command, cause));
    }

    private void again(RunActor run, RunCommand.Sweep command, Throwable cause) {
        LOG.warn("run {}: the sweep of survivors is asked again", run.runId(), cause);
        vertx.setTimer(AGAIN_AFTER.toMillis(), tick -> sweep(run, command));
    }

    private Future<StepSwept> sweep(String runId, String stepId, boolean now) {
        return ProcessChannels.SWEEP
                .ask(vertx.eventBus(), new SweepStep(runId, stepId, now), PATIENCE)
                .compose(receipt -> keep.apply(receipt).map(kept -> StepOutcomes.swept(stepId, receipt)));
    }
}
