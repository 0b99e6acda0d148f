package dev.loopkeeper.store;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes on the event bus what became durable, in the order of positions, once each. An append that the store did not
 * answer may have become durable, and where several nodes share the store others append between ours: then what follows
 * is read from the store until nothing is missing. On one context.
 */
final class EventPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(EventPublisher.class);
    private static final Duration AGAIN_AFTER = Duration.ofMillis(250);
    private static final int PAGE = 500;

    private final Vertx vertx;
    private final EventBus bus;
    private final EventStore store;
    /** Those whose answer is not sent yet. */
    private final List<AppendEvents> underWay = new ArrayList<>();

    private final OwnAppends own = new OwnAppends();

    private long published;
    /** Something may be durable that no answer told of. */
    private boolean behind;

    private boolean looking;
    private boolean more;
    /** Ends the watch of what others append; empty where nobody else can. */
    private Optional<Runnable> watch = Optional.empty();

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
        underWay.add(append);
        return store.append(append)
                .onSuccess(durable -> StoreChannels.SYNCED.publish(
                        bus, new AppendTimed(append.events().size(), System.nanoTime() - asked)))
                .onFailure(cause -> failed(append, cause));
    }

    private void failed(AppendEvents append, Throwable cause) {
        over(append);
        if (cause instanceof StoreAwayException) {
            own.unanswered(append);
            behind = true;
        }
        if (behind) {
            look();
        }
    }

    private void over(AppendEvents append) {
        underWay.remove(append);
    }

    /**
     * To be called after the answer was sent: whoever hears an event and asks its run's owner finds an owner that knows.
     * Answers come in the order of commits, so do publications.
     */
    void publish(AppendEvents append, Appended appended) {
        over(append);
        own.answered(append, appended);
        long position = appended.lastPosition() - append.events().size();
        // What was put in from a file has positions, too, and is published by nobody who is alone.
        behind |= watch.isPresent() && position != published;
        if (behind) {
            look();
            return;
        }
        for (StoredEvent event : append.events()) {
            position++;
            publish(new PositionedEvent(position, event));
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

    private void look() {
        more = true;
        if (!looking) {
            looking = true;
            more = false;
            store.eventsAfter(published, PAGE).onComplete(this::seen, this::unseen);
        }
    }

    private void seen(List<PositionedEvent> page) {
        looking = false;
        for (PositionedEvent event : page) {
            if (isUnderWay(event.event())) {
                // Its answer, or its failure, looks again.
                behind = true;
                return;
            }
            // Meanwhile an answer may have told of it.
            if (event.position() > published) {
                publish(event);
            }
        }
        if (more || !page.isEmpty()) {
            look();
        } else {
            behind = false;
        }
    }

    /** Its owner does not know of it yet. */
    private boolean isUnderWay(StoredEvent event) {
        return underWay.stream()
                .anyMatch(
                        append -> append.runId().equals(event.runId()) && append.expectedSequence() < event.sequence());
    }

    private void unseen(Throwable cause) {
        LOG.debug("what is durable cannot be read yet: {}", cause.getMessage());
        vertx.setTimer(AGAIN_AFTER.toMillis(), fired -> {
            looking = false;
            look();
        });
    }
}
