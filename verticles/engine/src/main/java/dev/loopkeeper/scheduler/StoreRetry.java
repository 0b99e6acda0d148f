package dev.loopkeeper.scheduler;

import dev.loopkeeper.run.RunState;
import dev.loopkeeper.store.StaleAppendException;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.LogThrottle;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retries for runs whose events the store does not accept. While the store is unavailable the run waits, then continues
 * unchanged. If the store refuses, the run ends with the first append that succeeds.
 */
final class StoreRetry {
    static final Duration RETRY_DELAY = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(StoreRetry.class);

    private final Scheduler scheduler;
    private final RunJournal journal;
    private final LogThrottle throttle = new LogThrottle();

    StoreRetry(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.journal = scheduler.journal;
    }

    /** Retries until the store works. */
    void failed(RunActor run, Throwable cause) {
        if (cause instanceof StaleAppendException && !journal.isOwn(run.runId())) {
            LOG.warn("run {} is owned by another node: {}", run.runId(), cause.getMessage());
            scheduler.actors.drop(run);
            return;
        }
        if (cause instanceof StoreUnavailableException) {
            LOG.warn(
                    "run {}: the event store is unavailable, nothing new is launched: {}",
                    run.runId(),
                    cause.getMessage());
        } else if (throttle.isDue(run.runId() + ": " + cause.getMessage(), System.nanoTime())) {
            LOG.error(
                    "run {}: the event store refuses events, nothing new is launched: {}",
                    run.runId(),
                    cause.getMessage());
        } else {
            LOG.debug("run {}: the event store still refuses events", run.runId(), cause);
        }
        later(run, cause);
    }

    /** Checks in the history whether the last append became durable, or whether the store has lost events. */
    private void later(RunActor run, Throwable cause) {
        scheduler.vertx.setTimer(
                RETRY_DELAY.toMillis(),
                due -> journal.load(run.runId())
                        .onComplete(
                                found -> found.filter(durable -> durable.sequence()
                                                != run.state().sequence())
                                        .ifPresentOrElse(
                                                durable -> catchUp(run, durable), () -> continueRun(run, cause)),
                                again -> {
                                    if (again instanceof StoreUnavailableException
                                            && cause instanceof StoreUnavailableException) {
                                        later(run, again);
                                    } else {
                                        failed(run, again);
                                    }
                                }));
    }

    private void continueRun(RunActor run, Throwable cause) {
        if (cause instanceof StoreUnavailableException) {
            LOG.info("run {}: the event store is available again", run.runId());
            run.continueUnchanged();
            scheduler.actors.releaseIfOver(run);
        } else {
            run.tryAgain(Instants.now(), "the event store could not be written: " + cause.getMessage());
        }
    }

    /** Continues the run from its stored history, as after a restart. */
    private void catchUp(RunActor run, RunState durable) {
        if (durable.sequence() < run.state().sequence()) {
            LOG.error(
                    "run {}: the event store has only {} of its {} events; the others are lost, and the run continues from the last stored event",
                    run.runId(),
                    durable.sequence(),
                    run.state().sequence());
        }
        LOG.info("run {} continues from event {} of the event store", run.runId(), durable.sequence());
        journal.project(durable);
        run.catchUp(durable, Instants.now());
    }
}
