package dev.loopkeeper.embed;

import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.rules.Refusal;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.work.SingleFlight;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells all events of one run, from its first, in order and each once, until it is closed. They are read from the store,
 * so that none is missing. Safe to use from any thread.
 */
public final class EventSubscription {
    private static final Logger LOG = LoggerFactory.getLogger(EventSubscription.class);
    private static final int PAGE = 200;

    private final String runId;
    private final EventStore store;
    private final Consumer<RunEvents.Heard<RunEvent>> listener;
    private final Promise<Void> ended = Promise.promise();
    private final SingleFlight<Void> reads = new SingleFlight<>(this::readOn);
    private long told;

    EventSubscription(String runId, EventStore store, Consumer<RunEvents.Heard<RunEvent>> listener) {
        this.runId = runId;
        this.store = store;
        this.listener = listener;
    }

    /** Tells nothing more; an event that is being told is told. Nothing where it has ended already. */
    public void close() {
        ended.tryComplete();
    }

    /**
     * Completes when it was closed, or its {@link Loopkeeper} was. Fails, and nothing more is told, when the events
     * cannot be read.
     */
    public Future<Void> ended() {
        return ended.future();
    }

    /** Completes when all that was recorded before is told. */
    Future<EventSubscription> begin() {
        return reads.run()
                .compose(read -> ended.future().isComplete() ? ended.future().map(this) : known());
    }

    private Future<EventSubscription> known() {
        return told > 0
                ? Future.succeededFuture(this)
                : Future.failedFuture(new RunRefusedException(new Refusal("not-found", "there is no run " + runId)));
    }

    RunFollower follower() {
        return new RunFollower() {
            @Override
            public String runId() {
                return runId;
            }

            @Override
            public void happened(String type) {
                reads.run();
            }

            @Override
            public Future<?> lookAgain() {
                return reads.run();
            }

            @Override
            public void closed() {
                close();
            }
        };
    }

    private Future<Void> readOn() {
        if (ended.future().isComplete()) {
            return Future.succeededFuture();
        }
        return store.events(runId, told, PAGE)
                .compose(page -> {
                    page.forEach(this::tell);
                    return page.isEmpty() ? Future.<Void>succeededFuture() : readOn();
                })
                .onFailure(ended::tryFail);
    }

    private void tell(PositionedEvent positioned) {
        if (ended.future().isComplete()) {
            return;
        }
        StoredEvent stored = positioned.event();
        RunEvents.Heard<RunEvent> heard = RunEvents.heard(stored, EventJson.read(stored.type(), stored.data()));
        told = stored.sequence();
        try {
            listener.accept(heard);
        } catch (RuntimeException | Error broken) {
            LOG.error("a listener to run {} broke at event {}", runId, told, broken);
        }
    }
}
