package dev.loopkeeper.scheduler;

import dev.loopkeeper.store.StaleAppendException;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What to do for a run whose events the store refuses. */
final class StoreRetry {
    static final Duration AGAIN_AFTER = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(StoreRetry.class);

    private final Vertx vertx;
    private final RunJournal journal;

    StoreRetry(Vertx vertx, RunJournal journal) {
        this.vertx = vertx;
        this.journal = journal;
    }

    /** It is tried again until the store works. */
    void failed(RunActor run, Throwable cause) {
        LOG.error("run {}: the store refuses, nothing new is launched: {}", run.runId(), cause.getMessage());
        vertx.setTimer(AGAIN_AFTER.toMillis(), fired -> {
            if (cause instanceof StaleAppendException) {
                catchUp(run, cause);
            } else {
                tryAgain(run, cause);
            }
        });
    }

    private static void tryAgain(RunActor run, Throwable cause) {
        run.tryAgain(Instants.now(), "the store could not be written: " + cause.getMessage());
    }

    /** An append whose answer came too late was durable all the same: the run is behind its own history. */
    private void catchUp(RunActor run, Throwable cause) {
        journal.load(run.runId())
                .onComplete(
                        found -> found.filter(durable ->
                                        durable.sequence() > run.state().sequence())
                                .ifPresentOrElse(
                                        durable -> run.catchUp(durable, Instants.now()), () -> tryAgain(run, cause)),
                        unreadable -> failed(run, cause));
    }
}
