package dev.loopkeeper.notify;

import dev.loopkeeper.manifest.NotifySpec;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.Outbox.GivenUp;
import dev.loopkeeper.store.Outbox.OutboxCursor;
import dev.loopkeeper.store.Outbox.OutboxTarget;
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
 * Delivers the events of one run to one receiver, in order. Pending events are read from the store when they are due,
 * and each result is durable before the next attempt: a crash repeats one delivery at most. A failed event is retried
 * before later ones. Used from one context only.
 */
final class DeliveryQueue {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryQueue.class);
    private static final Duration STORE_RETRY_DELAY = Duration.ofSeconds(1);
    private static final int PAGE = 200;

    /** Attempts one delivery to a receiver; never fails. */
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
    private boolean paused;
    private boolean ending;
    private boolean storeFailed;

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

    /** Adds the events of the run up to this one to the pending deliveries. */
    void addPending(long sequence) {
        cursor = new OutboxCursor(
                cursor.target(), cursor.sequence(), Math.max(cursor.newestPending(), sequence), cursor.tries());
        next();
    }

    /** Whether nothing is pending or in progress. */
    boolean isOver() {
        return !deliveries.isRunning() && !paused && !cursor.behind();
    }

    /** Starts no further pause; completes when every delivery that is due now was attempted. */
    Future<Void> end() {
        ending = true;
        return deliveries.idle();
    }

    /** Stops at once; another process delivers the rest. */
    void leave() {
        ending = true;
        paused = true;
    }

    private void next() {
        if (!paused && cursor.behind()) {
            deliveries.run();
        }
    }

    private Future<Void> tryNext() {
        return paused || !cursor.behind()
                ? Future.succeededFuture()
                : step().recover(this::afterStoreFailure).onSuccess(done -> next());
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
            storeFailed = false;
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

    /** Skips events that this receiver has not subscribed to. */
    private Future<Void> skip(List<PositionedEvent> page) {
        long last = page.get(page.size() - 1).event().sequence();
        return record(after(Math.min(last, cursor.newestPending())), Optional.empty());
    }

    private Future<Void> deliver(NotifySpec receiver, Targets of, StoredEvent event) {
        return attempt.make(receiver, of, event).compose(outcome -> tried(event, outcome));
    }

    private Future<Void> tried(StoredEvent event, DeliveryOutcome outcome) {
        int tries = cursor.tries() + 1;
        if (outcome instanceof DeliveryOutcome.Failed failed
                && tries < options.attempts().most()) {
            pause(event, options.attempts().delayAfter(tries), failed.reason());
            return record(
                    new OutboxCursor(cursor.target(), cursor.sequence(), cursor.newestPending(), tries),
                    Optional.empty());
        }
        Optional<GivenUp> givenUp = Optional.empty();
        if (outcome instanceof DeliveryOutcome.Failed failed) {
            givenUp = Optional.of(giveUp(event, tries, failed.reason() + ", after " + tries + " tries"));
        } else if (outcome instanceof DeliveryOutcome.Undeliverable undeliverable) {
            givenUp = Optional.of(giveUp(event, tries, undeliverable.reason()));
        }
        return record(after(event.sequence()), givenUp);
    }

    private OutboxCursor after(long sequence) {
        return new OutboxCursor(cursor.target(), sequence, cursor.newestPending(), 0);
    }

    private GivenUp giveUp(StoredEvent event, int tries, String reason) {
        LOG.warn("notification {}:{} will not be delivered: {}", event.runId(), event.sequence(), reason);
        return new GivenUp(cursor.target(), event.sequence(), tries, reason, Instants.now());
    }

    /** Gives up all pending deliveries, with one log line. */
    private Future<Void> drop() {
        String reason = "the run was removed";
        LOG.warn(
                "run {}: events {} to {} are not sent to receiver {}: {}",
                cursor.target().runId(),
                cursor.sequence() + 1,
                cursor.newestPending(),
                cursor.target().notification(),
                reason);
        GivenUp all = new GivenUp(cursor.target(), cursor.newestPending(), 0, reason, Instants.now());
        return record(after(cursor.newestPending()), Optional.of(all));
    }

    /** Stores the cursor; nothing else is delivered until it is durable. */
    private Future<Void> record(OutboxCursor now, Optional<GivenUp> givenUp) {
        cursor = new OutboxCursor(
                now.target(), now.sequence(), Math.max(cursor.newestPending(), now.newestPending()), now.tries());
        return store.tried(now, givenUp)
                .onSuccess(durable -> storeFailed = false)
                .recover(refused -> afterStoreFailure(refused)
                        .compose(again -> ending ? Future.succeededFuture() : record(now, givenUp)));
    }

    private Future<Void> afterStoreFailure(Throwable cause) {
        if (!storeFailed) {
            LOG.warn(
                    "notifications of run {} wait for the store: {}",
                    cursor.target().runId(),
                    cause.toString());
        }
        storeFailed = true;
        if (ending) {
            paused = true; // The next runtime continues.
            return Future.succeededFuture();
        }
        return vertx.timer(STORE_RETRY_DELAY.toMillis()).mapEmpty();
    }

    private void pause(StoredEvent event, Duration delay, String reason) {
        paused = true;
        if (ending) {
            return; // The next runtime retries it.
        }
        LOG.info(
                "notification {}:{} failed, next try in {} ms: {}",
                event.runId(),
                event.sequence(),
                delay.toMillis(),
                reason);
        vertx.setTimer(delay.toMillis(), due -> {
            paused = false;
            next();
        });
    }
}
