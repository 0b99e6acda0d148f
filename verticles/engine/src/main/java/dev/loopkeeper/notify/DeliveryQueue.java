package dev.loopkeeper.notify;

import dev.loopkeeper.manifest.NotifySpec;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.GivenUp;
import dev.loopkeeper.store.OutboxCursor;
import dev.loopkeeper.store.OutboxTarget;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.SingleFlight;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deliveries of one run to one receiver, one after the other and in order. What is owed is read from the store when
 * its turn comes, and what became of it is durable before the next is begun: a crash repeats one delivery at most. What
 * fails is tried again before what came later. Used from one context only.
 */
final class DeliveryQueue {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryQueue.class);
    private static final Duration STORE_AGAIN_AFTER = Duration.ofSeconds(1);
    private static final int PAGE = 200;

    /** Tries once to tell a receiver of an event; never fails. */
    interface Attempt {
        Future<DeliveryOutcome> make(NotifySpec receiver, Targets of, StoredEvent event);
    }

    private final Vertx vertx;
    private final NotifierOptions options;
    private final EventStore store;
    private final RunTargets targets;
    private final Attempt attempt;
    private OutboxCursor cursor;
    private final SingleFlight<Void> deliveries = new SingleFlight<>(this::tryNext);
    private boolean resting;
    private boolean ending;
    private boolean troubled;

    DeliveryQueue(
            Vertx vertx,
            NotifierOptions options,
            EventStore store,
            RunTargets targets,
            Attempt attempt,
            OutboxCursor cursor) {
        this.vertx = vertx;
        this.options = options;
        this.store = store;
        this.targets = targets;
        this.attempt = attempt;
        this.cursor = cursor;
    }

    /** Delivers everything up to this event of the run. */
    void owe(long sequence) {
        cursor = new OutboxCursor(
                cursor.target(), cursor.sequence(), Math.max(cursor.newestPending(), sequence), cursor.tries());
        next();
    }

    /** Whether it has nothing to do. */
    boolean isOver() {
        return !deliveries.isRunning() && !resting && !cursor.behind();
    }

    /** Begins no further wait; completes when what can be delivered at once was tried. */
    Future<Void> end() {
        ending = true;
        return deliveries.idle();
    }

    /** Leaves the rest to somebody else, at once. */
    void leave() {
        ending = true;
        resting = true;
    }

    private void next() {
        if (!resting && cursor.behind()) {
            deliveries.run();
        }
    }

    private Future<Void> tryNext() {
        return resting || !cursor.behind()
                ? Future.succeededFuture()
                : step().recover(this::afterTrouble).onSuccess(done -> next());
    }

    private Future<Void> step() {
        OutboxTarget target = cursor.target();
        return targets.of(target.runId()).compose(found -> {
            boolean known = found.filter(
                            of -> target.notification() < of.notifications().size())
                    .isPresent();
            return known ? deliverNext(found.get()) : drop();
        });
    }

    private Future<Void> deliverNext(Targets of) {
        OutboxTarget target = cursor.target();
        NotifySpec receiver = of.notifications().get(target.notification());
        return store.events(target.runId(), cursor.sequence(), PAGE).compose(page -> {
            troubled = false;
            if (page.isEmpty()) {
                return drop();
            }
            Optional<StoredEvent> due = page.stream()
                    .map(PositionedEvent::event)
                    .filter(event -> event.sequence() <= cursor.newestPending()
                            && receiver.events().contains(event.type()))
                    .findFirst();
            return due.map(event -> deliver(receiver, of, event)).orElseGet(() -> skip(page));
        });
    }

    /** None of these concerns this receiver. */
    private Future<Void> skip(List<PositionedEvent> page) {
        long last = page.get(page.size() - 1).event().sequence();
        return record(after(Math.min(last, cursor.newestPending())), Optional.empty());
    }

    private Future<Void> deliver(NotifySpec receiver, Targets of, StoredEvent event) {
        return attempt.make(receiver, of, event).compose(outcome -> tried(event, outcome));
    }

    private Future<Void> tried(StoredEvent event, DeliveryOutcome outcome) {
        int tries = cursor.tries() + 1;
        if (outcome instanceof DeliveryOutcome.Failed failed && tries < options.tries()) {
            rest(event, options.delayAfter(tries), failed.reason());
            return record(
                    new OutboxCursor(cursor.target(), cursor.sequence(), cursor.newestPending(), tries),
                    Optional.empty());
        }
        Optional<GivenUp> givenUp = Optional.empty();
        if (outcome instanceof DeliveryOutcome.Failed failed) {
            givenUp = Optional.of(giveUp(event, tries, failed.reason() + ", after " + tries + " tries"));
        } else if (outcome instanceof DeliveryOutcome.Hopeless hopeless) {
            givenUp = Optional.of(giveUp(event, tries, hopeless.reason()));
        }
        return record(after(event.sequence()), givenUp);
    }

    private OutboxCursor after(long sequence) {
        return new OutboxCursor(cursor.target(), sequence, cursor.newestPending(), 0);
    }

    private GivenUp giveUp(StoredEvent event, int tries, String reason) {
        LOG.warn("notification {}:{} is given up: {}", event.runId(), event.sequence(), reason);
        return new GivenUp(cursor.target(), event.sequence(), tries, reason, Instants.now());
    }

    /** Said once, for all that is owed. */
    private Future<Void> drop() {
        String reason = "the run is not kept any more";
        LOG.warn(
                "run {}: events {} to {} are not told to receiver {}: {}",
                cursor.target().runId(),
                cursor.sequence() + 1,
                cursor.newestPending(),
                cursor.target().notification(),
                reason);
        GivenUp all = new GivenUp(cursor.target(), cursor.newestPending(), 0, reason, Instants.now());
        return record(after(cursor.newestPending()), Optional.of(all));
    }

    /** Nothing else is delivered until this is durable. */
    private Future<Void> record(OutboxCursor now, Optional<GivenUp> givenUp) {
        cursor = new OutboxCursor(
                now.target(), now.sequence(), Math.max(cursor.newestPending(), now.newestPending()), now.tries());
        return store.tried(now, givenUp)
                .onSuccess(durable -> troubled = false)
                .recover(refused -> afterTrouble(refused)
                        .compose(again -> ending ? Future.succeededFuture() : record(now, givenUp)));
    }

    private Future<Void> afterTrouble(Throwable cause) {
        if (!troubled) {
            LOG.warn(
                    "notifications of run {} wait for the store: {}",
                    cursor.target().runId(),
                    cause.toString());
        }
        troubled = true;
        if (ending) {
            resting = true; // The next runtime goes on.
            return Future.succeededFuture();
        }
        return vertx.timer(STORE_AGAIN_AFTER.toMillis()).mapEmpty();
    }

    private void rest(StoredEvent event, Duration delay, String reason) {
        resting = true;
        if (ending) {
            return; // The next runtime tries it.
        }
        LOG.info(
                "notification {}:{} failed, next try in {} ms: {}",
                event.runId(),
                event.sequence(),
                delay.toMillis(),
                reason);
        vertx.setTimer(delay.toMillis(), due -> {
            resting = false;
            next();
        });
    }
}
