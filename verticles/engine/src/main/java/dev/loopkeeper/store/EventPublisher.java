package dev.loopkeeper.store;

import dev.loopkeeper.json.Json;
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
 * Publishes on the event bus what became durable, in the order of positions, once each. An append that the store did not
 * answer may have become durable, and where several nodes share the store others append between ours: then what is
 * missing is read from the store, while what was answered here is not read again. On one context.
 */
final class EventPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(EventPublisher.class);
    private static final Duration AGAIN_AFTER = Duration.ofMillis(250);
    private static final int PAGE = 500;
    /** Characters of JSON that one character of a text may take. */
    private static final int ESCAPED = 6;
    /** While the store can be written but not read; what is more is read when that is over. */
    private static final int MOST_KEPT = 1_000;

    private final Vertx vertx;
    private final EventBus bus;
    private final EventStore store;
    /** Those whose answer is not sent yet, by run. */
    private final Map<String, List<AppendEvents>> underWay = new HashMap<>();

    private final OwnAppends own = new OwnAppends();
    /** Published when all before them is, in the order of positions. */
    private final Deque<Answered> answered = new ArrayDeque<>();
    /** What the store has after the last that was published, without gaps. */
    private final Deque<PositionedEvent> page = new ArrayDeque<>();

    private long published;
    /** Up to here the store has nothing but what was published or is on the page. */
    private long complete;
    /** Something may be durable that no answer told of. */
    private boolean behind;

    private boolean looking;
    private boolean more;
    /** Ends the watch of what others append; empty where nobody else can. */
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

    /** What is durable already is published no more. */
    Future<Void> begin() {
        return store.lastPosition().<Void>map(last -> {
            published = last;
            Context own = vertx.getOrCreateContext();
            watch = store.watchOthers(() -> own.runOnContext(hint -> look()));
            return null;
        });
    }

    /** What others append is published no more. */
    void end() {
        watch.ifPresent(Runnable::run);
    }

    Future<Appended> append(AppendEvents append) {
        long asked = System.nanoTime();
        underWay.computeIfAbsent(append.runId(), first -> new ArrayList<>(1)).add(append);
        return Future.succeededFuture()
                .compose(begun -> store.append(append))
                .onSuccess(durable -> StoreChannels.SYNCED.publish(
                        bus, new AppendTimed(append.events().size(), System.nanoTime() - asked)))
                .onFailure(cause -> failed(append, cause));
    }

    private void failed(AppendEvents append, Throwable cause) {
        over(append);
        if (cause instanceof StoreUnavailableException) {
            own.unanswered(append);
            lookAgain();
        }
        goOn();
    }

    @SuppressWarnings("ReferenceEquality") // this very one: another may say the same
    private void over(AppendEvents append) {
        underWay.computeIfPresent(append.runId(), (run, appends) -> {
            boolean unused = appends.removeIf(other -> other == append);
            return appends.isEmpty() ? null : appends;
        });
    }

    /**
     * To be called after the answer was sent: whoever hears an event and asks its run's owner finds an owner that knows.
     * Answers come in the order of commits, so do publications.
     */
    void publish(AppendEvents append, Appended appended) {
        over(append);
        own.answered(append, appended);
        if (answered.size() < MOST_KEPT) {
            answered.add(new Answered(append, appended.lastPosition()));
        } else {
            lookAgain();
        }
        goOn();
    }

    /** Also where a look is under way, which may have been too early. */
    private void lookAgain() {
        behind = true;
        more = true;
    }

    private void look() {
        more = true;
        goOn();
    }

    /** Publishes what is known as far as nothing is missing before it, and reads what is missing. */
    private void goOn() {
        boolean whole = true;
        try {
            whole = publishKnown();
        } catch (RuntimeException | Error broken) {
            // What was not published is read again from the store.
            LOG.error("an event could not be published", broken);
            lookAgain();
        }
        if (whole && (more || behind || !answered.isEmpty())) {
            read();
        }
    }

    /** Answers whether the page is published as a whole: else what is next on it waits for its answer. */
    private boolean publishKnown() {
        while (!page.isEmpty() || follows()) {
            if (page.isEmpty()) {
                publish(answered.remove());
            } else if (page.peek().position() <= published) {
                // Meanwhile an answer has told of it.
                page.remove();
            } else if (isUnderWay(page.peek().event())) {
                // Its answer, or its failure, goes on.
                return false;
            } else {
                publish(page.remove());
            }
        }
        return true;
    }

    /** Whether the next answer tells of what comes next, or of what was published already. */
    private boolean follows() {
        Answered next = answered.peek();
        // What was put in from a file has positions, too, and is published by nobody who is alone.
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

    /** No further than to what is known. */
    private void read() {
        if (looking) {
            return;
        }
        looking = true;
        more = false;
        long known = answered.isEmpty() ? Long.MAX_VALUE : answered.peek().before();
        int limit = (int) Math.min(PAGE, known - published);
        store.eventsAfter(published, limit).onComplete(found -> seen(found, limit, known), this::unseen);
    }

    private void seen(List<PositionedEvent> found, int limit, long known) {
        looking = false;
        page.addAll(found);
        if (known == Long.MAX_VALUE) {
            behind = more || isMoreLikely(found, limit);
        } else if (found.isEmpty() || found.get(found.size() - 1).position() >= known) {
            complete = known;
        }
        goOn();
    }

    /**
     * A damaged event is missing on its page; where others append there is a look again soon in any case, so one more read is
     * for a page that ended by its limit, or may have ended by its bytes.
     */
    private boolean isMoreLikely(List<PositionedEvent> found, int limit) {
        return watch.isPresent() ? found.size() == limit || mayHaveEndedByBytes(found) : !found.isEmpty();
    }

    private static boolean mayHaveEndedByBytes(List<PositionedEvent> found) {
        int average = EventStore.READ_BYTES / ESCAPED / Math.max(1, found.size());
        return found.stream().anyMatch(event -> Json.isLarge(event.event().data(), average));
    }

    /** Its owner does not know of it yet. */
    private boolean isUnderWay(StoredEvent event) {
        return underWay.getOrDefault(event.runId(), List.of()).stream()
                .anyMatch(append -> append.expectedSequence() < event.sequence());
    }

    private void unseen(Throwable cause) {
        LOG.debug("what is durable cannot be read yet: {}", cause.getMessage());
        vertx.setTimer(AGAIN_AFTER.toMillis(), fired -> {
            looking = false;
            look();
        });
    }
}
