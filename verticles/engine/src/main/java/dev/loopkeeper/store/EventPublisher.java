package dev.loopkeeper.store;

import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.AppendTimed;
import dev.loopkeeper.store.StoreChannels.Appended;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes durable events on the event bus, once each and in the order of positions. An unanswered append may have
 * become durable, and nodes that share the store append too: missing events are read from the store. Answered events
 * are not read again. Used on one context.
 */
final class EventPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(EventPublisher.class);
    private static final Duration RETRY_AFTER = Duration.ofMillis(250);
    private static final int PAGE = 500;
    /** Most characters of JSON for one character of a text. */
    private static final int ESCAPED = 6;
    /** Limit while the store can be written but not read; further events are read from the store later. */
    private static final int MAX_ANSWERED = 1_000;

    private final Vertx vertx;
    private final EventBus bus;
    private final EventStore store;
    /** Appends without an answer, by run. */
    private final Map<String, List<AppendEvents>> inFlight = new HashMap<>();

    private final OwnAppends own = new OwnAppends();
    /** Answered appends in the order of positions; published once all events before them are. */
    private final Deque<Answered> answered = new ArrayDeque<>();
    /** Events of the store after the last published one, without gaps. */
    private final Deque<PositionedEvent> page = new ArrayDeque<>();

    private long published;
    /** Up to this position, the store has only published events and those on the page. */
    private long complete;
    /** The store may have events that no answer reported. */
    private boolean behind;

    private boolean reading;
    private boolean more;
    /** Ends the watch of appends by other processes; empty if there are none. */
    private Optional<Runnable> watch = Optional.empty();

    private record Answered(AppendEvents append, long last) {
        long before() {
            return last - append.events().size();
        }
    }

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
            watch = store.watchOthers(() -> own.runOnContext(hint -> poll()));
            return null;
        });
    }

    /** Stops publishing events of other processes. */
    void end() {
        watch.ifPresent(Runnable::run);
    }

    Future<Appended> append(AppendEvents append) {
        long asked = System.nanoTime();
        inFlight.computeIfAbsent(append.runId(), first -> new ArrayList<>(1)).add(append);
        return Future.succeededFuture()
                .compose(begun -> store.append(append))
                .onSuccess(durable -> StoreChannels.SYNCED.publish(
                        bus, new AppendTimed(append.events().size(), System.nanoTime() - asked)))
                .onFailure(cause -> failed(append, cause));
    }

    private void failed(AppendEvents append, Throwable cause) {
        finished(append);
        if (cause instanceof StoreUnavailableException) {
            own.unanswered(append);
            markBehind();
        }
        advance();
    }

    @SuppressWarnings("ReferenceEquality") // identity matters: another append may be equal
    private void finished(AppendEvents append) {
        inFlight.computeIfPresent(append.runId(), (run, appends) -> {
            boolean unused = appends.removeIf(other -> other == append);
            return appends.isEmpty() ? null : appends;
        });
    }

    /**
     * Call after the answer was sent: a subscriber that receives an event and queries the run's owner must find an
     * owner that knows the event. Answers and publications have the order of commits.
     */
    void publish(AppendEvents append, Appended appended) {
        finished(append);
        own.answered(append, appended);
        if (answered.size() < MAX_ANSWERED) {
            answered.add(new Answered(append, appended.lastPosition()));
        } else {
            markBehind();
        }
        advance();
    }

    /** Requests another read, also while one is in progress, which may have been too early. */
    private void markBehind() {
        behind = true;
        more = true;
    }

    private void poll() {
        more = true;
        advance();
    }

    /** Publishes known events up to the first missing one, and reads missing ones. */
    private void advance() {
        boolean pageDone = true;
        try {
            pageDone = publishKnown();
        } catch (RuntimeException | Error broken) {
            // Unpublished events are read again from the store.
            LOG.error("an event could not be published", broken);
            markBehind();
        }
        if (pageDone && (more || behind || !answered.isEmpty())) {
            read();
        }
    }

    /** Returns whether the page is published completely; otherwise its next event waits for an answer. */
    private boolean publishKnown() {
        while (!page.isEmpty() || follows()) {
            if (page.isEmpty()) {
                publish(answered.remove());
            } else if (page.peek().position() <= published) {
                // An answer has reported it since.
                page.remove();
            } else if (isInFlight(page.peek().event())) {
                // The answer or failure of the request calls advance().
                return false;
            } else {
                publish(page.remove());
            }
        }
        return true;
    }

    /** Returns whether the next answered append follows the published events. */
    private boolean follows() {
        Answered next = answered.peek();
        // Imported runs have positions too; without other processes nothing publishes them.
        return next != null && (next.before() <= Math.max(published, complete) || (watch.isEmpty() && !behind));
    }

    private void publish(Answered next) {
        long position = next.before();
        for (StoredEvent event : next.append().events()) {
            position++;
            if (position > published) {
                publish(new PositionedEvent(position, event));
            }
        }
    }

    private void publish(PositionedEvent event) {
        published = event.position();
        if (own.isOwn(event)) {
            StoreChannels.OWN_EVENTS.publish(bus, event);
        }
        StoreChannels.EVENTS.publish(bus, event);
        StoreChannels.eventsOf(event.event().type()).publish(bus, event);
    }

    /** Reads up to the next answered append. */
    private void read() {
        if (reading) {
            return;
        }
        reading = true;
        more = false;
        long known = answered.isEmpty() ? Long.MAX_VALUE : answered.peek().before();
        int limit = (int) Math.min(PAGE, known - published);
        store.eventsAfter(published, limit).onComplete(found -> readDone(found, limit, known), this::readFailed);
    }

    private void readDone(List<PositionedEvent> found, int limit, long known) {
        reading = false;
        page.addAll(found);
        if (known == Long.MAX_VALUE) {
            behind = more || isMoreLikely(found, limit);
        } else if (found.isEmpty() || found.get(found.size() - 1).position() >= known) {
            complete = known;
        }
        advance();
    }

    /**
     * A page omits damaged events, so a short page is no sign of the end. With other processes there is another poll
     * soon, so a read follows only a page that ended by its limit or by its bytes.
     */
    private boolean isMoreLikely(List<PositionedEvent> found, int limit) {
        return watch.isPresent() ? found.size() == limit || mayHaveEndedByBytes(found) : !found.isEmpty();
    }

    private static boolean mayHaveEndedByBytes(List<PositionedEvent> found) {
        int average = EventStore.READ_BYTES / ESCAPED / Math.max(1, found.size());
        return found.stream().anyMatch(event -> Json.isLarge(event.event().data(), average));
    }

    /** Returns whether the run's owner does not know this event yet. */
    private boolean isInFlight(StoredEvent event) {
        return inFlight.getOrDefault(event.runId(), List.of()).stream()
                .anyMatch(append -> append.expectedSequence() < event.sequence());
    }

    private void readFailed(Throwable cause) {
        LOG.debug("durable events cannot be read yet: {}", cause.getMessage());
        vertx.setTimer(RETRY_AFTER.toMillis(), fired -> {
            reading = false;
            poll();
        });
    }
}
