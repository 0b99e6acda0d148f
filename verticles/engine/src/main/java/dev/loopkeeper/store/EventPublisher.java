package dev.loopkeeper.store;

import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.AppendTimed;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.work.SingleFlight;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes durable events on the event bus, once each and in the order of positions. It reads them from the store, since
 * nodes that share the store append too, and an append without an answer may be durable. Used on one context.
 */
final class EventPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(EventPublisher.class);
    private static final Duration RETRY_AFTER = Duration.ofMillis(250);
    private static final int PAGE = 500;

    private final Vertx vertx;
    private final EventBus bus;
    private final EventStore store;
    /** Appends without an answer; two may be equal. */
    private final Set<AppendEvents> inFlight = Collections.newSetFromMap(new IdentityHashMap<>());

    private final OwnAppends own = new OwnAppends();
    private final SingleFlight<Void> reads = new SingleFlight<>(this::read);
    private long published;
    /** The newest position that an answer named. */
    private long newest;
    /** Whether other processes, or appends without an answer, may have stored more than that. */
    private boolean moreUnknown;
    /** Ends the watch of appends by other processes; empty if there are none. */
    private Optional<Runnable> watch = Optional.empty();

    EventPublisher(Vertx vertx, EventStore store) {
        this.vertx = vertx;
        this.bus = vertx.eventBus();
        this.store = store;
    }

    /** Publishes only events that become durable from now on. */
    Future<Void> begin() {
        return store.lastPosition().<Void>map(last -> {
            published = last;
            Context own = vertx.getOrCreateContext();
            watch = store.watchOthers(() -> own.runOnContext(hint -> readUnknown()));
            return null;
        });
    }

    /** Stops publishing events of other processes. */
    void end() {
        watch.ifPresent(Runnable::run);
    }

    Future<Appended> append(AppendEvents append) {
        long asked = System.nanoTime();
        inFlight.add(append);
        return Future.succeededFuture()
                .compose(begun -> store.append(append))
                .onSuccess(durable -> StoreChannels.SYNCED.publish(
                        bus, new AppendTimed(append.events().size(), System.nanoTime() - asked)))
                .onFailure(cause -> failed(append, cause));
    }

    private void failed(AppendEvents append, Throwable cause) {
        inFlight.remove(append);
        if (cause instanceof StoreUnavailableException) {
            own.unanswered(append);
        }
        readUnknown();
    }

    private void readUnknown() {
        moreUnknown = true;
        reads.run();
    }

    /**
     * Call after the answer was sent: a subscriber that receives an event and queries the run's owner must find an
     * owner that knows the event.
     */
    void publish(AppendEvents append, Appended appended) {
        inFlight.remove(append);
        own.answered(append, appended);
        newest = Math.max(newest, appended.lastPosition());
        reads.run();
    }

    /** Publishes a page of the store, up to an event whose append has no answer yet; the answer causes another read. */
    private Future<Void> read() {
        return store.eventsAfter(published, PAGE)
                .map(this::publishAnswered)
                .recover(cause -> {
                    LOG.debug("durable events cannot be read yet", cause);
                    return vertx.timer(RETRY_AFTER.toMillis()).map(true);
                })
                .onSuccess(more -> {
                    if (more) {
                        reads.run();
                    }
                })
                .mapEmpty();
    }

    /** Returns whether the store may have more to publish; an omitted damaged event makes a page short, not empty. */
    private boolean publishAnswered(List<PositionedEvent> page) {
        for (PositionedEvent event : page) {
            if (isInFlight(event.event())) {
                return false;
            }
            publish(event);
        }
        moreUnknown &= !page.isEmpty();
        return !page.isEmpty() && (moreUnknown || published < newest);
    }

    /** Returns whether the run's owner does not know this event yet. */
    private boolean isInFlight(StoredEvent event) {
        return inFlight.stream()
                .anyMatch(
                        append -> append.runId().equals(event.runId()) && append.expectedSequence() < event.sequence());
    }

    private void publish(PositionedEvent event) {
        published = event.position();
        if (own.isOwn(event)) {
            StoreChannels.OWN_EVENTS.publish(bus, event);
        }
        StoreChannels.EVENTS.publish(bus, event);
        StoreChannels.eventsOf(event.event().type()).publish(bus, event);
    }
}
