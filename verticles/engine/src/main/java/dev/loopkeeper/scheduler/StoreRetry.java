package dev.loopkeeper.scheduler;

import dev.loopkeeper.run.RunState;
import dev.loopkeeper.store.StaleAppendException;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.Reminders;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What to do for a run whose events the store does not take. One that is away is waited for, however long: then the run
 * goes on as if nothing had been. One that refuses is tried again, and the run ends with the first append that it takes.
 */
final class StoreRetry {
    static final Duration AGAIN_AFTER = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(StoreRetry.class);

    private final Vertx vertx;
    private final RunJournal journal;
    private final Consumer<RunActor> rest;
    private final Consumer<RunActor> drop;
    private final Reminders reminders = new Reminders();

    /**
     * @param rest lets a run go that does nothing by itself
     * @param drop forgets a run that is another's
     */
    StoreRetry(Vertx vertx, RunJournal journal, Consumer<RunActor> rest, Consumer<RunActor> drop) {
        this.drop = drop;
        this.vertx = vertx;
        this.journal = journal;
        this.rest = rest;
    }

    /** It is tried again until the store works. */
    void failed(RunActor run, Throwable cause) {
        if (cause instanceof StoreUnavailableException) {
            LOG.warn("run {}: the store is away, nothing new is launched: {}", run.runId(), cause.getMessage());
            later(() -> whenBack(run));
        } else if (cause instanceof StaleAppendException && !journal.isOwn(run.runId())) {
            LOG.warn("run {} is another node's: {}", run.runId(), cause.getMessage());
            drop.accept(run);
        } else if (cause instanceof StaleAppendException) {
            refused(run, cause);
            later(() -> catchUp(run, cause));
        } else {
            refused(run, cause);
            later(() -> tryAgain(run, cause));
        }
    }

    private void refused(RunActor run, Throwable cause) {
        if (reminders.isDue(run.runId() + ": " + cause.getMessage(), System.nanoTime())) {
            LOG.error("run {}: the store refuses, nothing new is launched: {}", run.runId(), cause.getMessage());
        } else {
            LOG.debug("run {}: the store still refuses", run.runId(), cause);
        }
    }

    private void later(Runnable work) {
        vertx.setTimer(AGAIN_AFTER.toMillis(), fired -> work.run());
    }

    private static void tryAgain(RunActor run, Throwable cause) {
        run.tryAgain(Instants.now(), "the store could not be written: " + cause.getMessage());
    }

    /** What it was asked last may be durable, or not: the history tells. */
    private void whenBack(RunActor run) {
        journal.load(run.runId())
                .onComplete(
                        found -> further(run, found).ifPresentOrElse(durable -> catchUp(run, durable), () -> {
                            LOG.info("run {}: the store is back", run.runId());
                            run.goOn();
                            rest.accept(run);
                        }),
                        cause -> stillAway(run, cause));
    }

    private void stillAway(RunActor run, Throwable cause) {
        if (cause instanceof StoreUnavailableException) {
            later(() -> whenBack(run));
        } else {
            failed(run, cause);
        }
    }

    /**
     * The run stands elsewhere than its history: an append whose answer came too late was durable all the same, or the
     * store has lost some. Either way the run continues from what is stored, as after a restart.
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
                        "run {}: the store has only {} of its {} events and has lost the rest; the run continues from there",
                        run.runId(),
                        durable.sequence(),
                        run.state().sequence()));
        return other;
    }

    private static Optional<RunState> further(RunActor run, Optional<RunState> found) {
        return found.filter(durable -> durable.sequence() > run.state().sequence());
    }

    private void catchUp(RunActor run, RunState durable) {
        LOG.info("run {} continues from event {} of the store", run.runId(), durable.sequence());
        journal.project(durable);
        run.catchUp(durable, Instants.now());
    }
}
