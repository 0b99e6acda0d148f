package dev.loopkeeper.embed;

import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.work.SingleFlight;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers each event of one run once, in order, from the first one until the subscription is closed. Reads the
 * events from the store, so none is missed. Safe to use from any thread.
 */
public final class EventSubscription {
    private static final Logger LOG = LoggerFactory.getLogger(EventSubscription.class);
    private static final int PAGE = 200;

    private final String runId;
    private final EventStore store;
    private final Consumer<RunEvents.Recorded<RunEvent>> listener;
    private final Promise<Void> ended = Promise.promise();
    private final SingleFlight<Void> reads = new SingleFlight<>(this::readOn);
    private long delivered;

    EventSubscription(String runId, EventStore store, Consumer<RunEvents.Recorded<RunEvent>> listener) {
        this.runId = runId;
        this.store = store;
        this.listener = listener;
    }

    /** Stops the delivery; an event in delivery still arrives. Has no effect once it has ended. */
    public void close() {
        ended.tryComplete();
    }

    /**
     * Completes when this subscription or its {@link Loopkeeper} is closed. Fails, and delivers nothing more, when an
     * event cannot be read.
     */
    public Future<Void> ended() {
        return ended.future();
    }

    /** Completes when all events recorded before were delivered. */
    Future<EventSubscription> begin() {
        return reads.run()
                .compose(read -> ended.future().isComplete() ? ended.future().map(this) : known());
    }

    private Future<EventSubscription> known() {
        return delivered > 0
                ? Future.succeededFuture(this)
                : Future.failedFuture(
                        new RunRefusedException(new Refusal(RefusalCode.NOT_FOUND, "there is no run " + runId)));
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
            public Future<?> readAgain() {
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
        return store.events(runId, delivered, PAGE)
                .compose(page -> {
                    page.forEach(this::deliver);
                    return page.isEmpty() ? Future.<Void>succeededFuture() : readOn();
                })
                .onFailure(ended::tryFail);
    }

    private void deliver(PositionedEvent positioned) {
        if (ended.future().isComplete()) {
            return;
        }
        StoredEvent stored = positioned.event();
        RunEvents.Recorded<RunEvent> recorded =
                RunEvents.recorded(stored, EventJson.read(stored.type(), stored.data()));
        delivered = stored.sequence();
        try {
            listener.accept(recorded);
        } catch (RuntimeException | Error broken) {
            LOG.error("a listener of run {} failed at event {}", runId, delivered, broken);
        }
    }
}
