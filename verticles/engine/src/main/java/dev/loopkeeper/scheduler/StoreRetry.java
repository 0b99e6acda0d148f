package dev.loopkeeper.scheduler;

import dev.loopkeeper.run.RunState;
import dev.loopkeeper.store.StaleAppendException;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.LogThrottle;
import java.time.Duration;
import java.util.Optional;
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
        if (cause instanceof StoreUnavailableException) {
            LOG.warn(
                    "run {}: the event store is unavailable, nothing new is launched: {}",
                    run.runId(),
                    cause.getMessage());
            later(() -> continueWhenAvailable(run));
        } else if (cause instanceof StaleAppendException && !journal.isOwn(run.runId())) {
            LOG.warn("run {} is owned by another node: {}", run.runId(), cause.getMessage());
            scheduler.actors.drop(run);
        } else if (cause instanceof StaleAppendException) {
            refused(run, cause);
            later(() -> catchUp(run, cause));
        } else {
            refused(run, cause);
            later(() -> tryAgain(run, cause));
        }
    }

    private void refused(RunActor run, Throwable cause) {
        if (throttle.isDue(run.runId() + ": " + cause.getMessage(), System.nanoTime())) {
            LOG.error(
                    "run {}: the event store refuses events, nothing new is launched: {}",
                    run.runId(),
                    cause.getMessage());
        } else {
            LOG.debug("run {}: the event store still refuses events", run.runId(), cause);
        }
    }

    private void later(Runnable work) {
        scheduler.vertx.setTimer(RETRY_DELAY.toMillis(), fired -> work.run());
    }

    private static void tryAgain(RunActor run, Throwable cause) {
        run.tryAgain(Instants.now(), "the event store could not be written: " + cause.getMessage());
    }

    /** Checks in the history whether the last append became durable. */
    private void continueWhenAvailable(RunActor run) {
        journal.load(run.runId())
                .onComplete(
                        found -> further(run, found).ifPresentOrElse(durable -> catchUp(run, durable), () -> {
                            LOG.info("run {}: the event store is available again", run.runId());
                            run.continueUnchanged();
                            scheduler.actors.releaseIfOver(run);
                        }),
                        cause -> stillUnavailable(run, cause));
    }

    private void stillUnavailable(RunActor run, Throwable cause) {
        if (cause instanceof StoreUnavailableException) {
            later(() -> continueWhenAvailable(run));
        } else {
            failed(run, cause);
        }
    }

    /**
     * Continues the run from its stored history, as after a restart: either a late append became durable, or the store
     * has lost events.
     */
    private void catchUp(RunActor run, Throwable cause) {
        journal.load(run.runId())
                .onComplete(
                        found -> elsewhere(run, found)
                                .ifPresentOrElse(durable -> catchUp(run, durable), () -> tryAgain(run, cause)),
                        unreadable -> failed(run, cause));
    }

    private static Optional<RunState> elsewhere(RunActor run, Optional<RunState> found) {
        Optional<RunState> other =
                found.filter(durable -> durable.sequence() != run.state().sequence());
        other.filter(durable -> durable.sequence() < run.state().sequence())
                .ifPresent(durable -> LOG.error(
                        "run {}: the event store has only {} of its {} events; the others are lost, and the run continues from the last stored event",
                        run.runId(),
                        durable.sequence(),
                        run.state().sequence()));
        return other;
    }

    private static Optional<RunState> further(RunActor run, Optional<RunState> found) {
        return found.filter(durable -> durable.sequence() > run.state().sequence());
    }

    private void catchUp(RunActor run, RunState durable) {
        LOG.info("run {} continues from event {} of the event store", run.runId(), durable.sequence());
        journal.project(durable);
        run.catchUp(durable, Instants.now());
    }
}
