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
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers each event of one run, or of all, once, in order, until the subscription is closed. Reads the
 * events from the store, so none is missed. Safe to use from any thread.
 */
public final class EventSubscription {
    private static final Logger LOG = LoggerFactory.getLogger(EventSubscription.class);
    private static final int PAGE = 200;

    /** Absent for all runs. */
    private final Optional<String> runId;

    private final EventStore store;
    private final Consumer<FeedEvent> listener;
    private final Promise<Void> ended = Promise.promise();
    private final SingleFlight<Void> reads = new SingleFlight<>(this::readOn);
    private long delivered;

    /** @param delivered the last sequence of the run that is known, or the last cursor over all runs */
    EventSubscription(Optional<String> runId, EventStore store, long delivered, Consumer<FeedEvent> listener) {
        this.runId = runId;
        this.store = store;
        this.delivered = delivered;
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
        if (runId.isPresent()) {
            return delivered > 0
                    ? Future.succeededFuture(this)
                    : Future.failedFuture(new RunRefusedException(
                            new Refusal(RefusalCode.NOT_FOUND, "there is no run " + runId.get())));
        }
        return store.lastPosition()
                .compose(last -> delivered <= last
                        ? Future.succeededFuture(this)
                        : Future.failedFuture(new IllegalArgumentException("cursor " + delivered
                                + " belongs to another store: this one has events up to " + last
                                + "; begin with 0 or with cursor()")));
    }

    RunFollower follower() {
        return new RunFollower() {
            @Override
            public boolean follows(String run) {
                return runId.isEmpty() || runId.get().equals(run);
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
        return runId.map(run -> store.events(run, delivered, PAGE))
                .orElseGet(() -> store.eventsAfter(delivered, PAGE))
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
        delivered = runId.isPresent() ? stored.sequence() : positioned.position();
        try {
            listener.accept(new FeedEvent(positioned.position(), recorded));
        } catch (RuntimeException | Error broken) {
            LOG.error("a listener of run {} failed at event {}", stored.runId(), stored.sequence(), broken);
        }
    }
}
