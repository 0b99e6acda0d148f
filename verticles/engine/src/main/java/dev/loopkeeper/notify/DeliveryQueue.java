package dev.loopkeeper.notify;

import dev.loopkeeper.manifest.NotifySpec;
import dev.loopkeeper.notification.Attention;
import dev.loopkeeper.run.AskOpened;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.store.EventQuery;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.Outbox.OutboxCursor;
import dev.loopkeeper.store.Outbox.OutboxTarget;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.work.Retries;
import dev.loopkeeper.work.SingleFlight;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the events of one run to one receiver, in order. Pending events are read from the store when they are due,
 * and each result is durable before the next attempt: a crash repeats one delivery at most. A failed event is retried
 * before later ones. A chat gets one message a minute about events of one kind, for all of them; events of other kinds
 * are delivered in the meantime, and a crash may repeat these. Used from one context only.
 */
final class DeliveryQueue {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryQueue.class);
    private static final Duration STORE_RETRY_DELAY = Duration.ofSeconds(1);
    private static final int PAGE = 200;
    private static final String ASK = EventTypes.of(AskOpened.class);
    /** Each ask has a link, and the smallest message has space for four. */
    private static final int MOST_ASKS = 4;

    /** Attempts one delivery to a receiver for these events of one kind, oldest first; never fails. */
    interface Attempt {
        Future<DeliveryOutcome> make(NotifySpec receiver, Targets of, List<StoredEvent> events);
    }

    private final Vertx vertx;
    private final NotifierOptions options;
    private final EventStore store;
    private final RunTargets targets;
    private final Attempt attempt;
    private final Holds holds;
    private OutboxCursor cursor;
    /** Events after the cursor that are delivered already. */
    private final Set<Long> ahead = new HashSet<>();

    private OptionalLong holdTimer = OptionalLong.empty();
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
            Holds holds,
            OutboxCursor cursor) {
        this.vertx = vertx;
        this.options = options;
        this.store = store;
        this.targets = targets;
        this.attempt = attempt;
        this.holds = holds;
        this.cursor = cursor;
    }

    /** Adds the events of the run up to this one to the pending deliveries. */
    void addPending(long sequence) {
        cursor = new OutboxCursor(
                cursor.target(), cursor.sequence(), Math.max(cursor.newestPending(), sequence), cursor.tries());
        holdTimer.ifPresent(vertx::cancelTimer);
        holdTimer = OptionalLong.empty();
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
        if (isDue()) {
            deliveries.run();
        }
    }

    private boolean isDue() {
        return !paused && holdTimer.isEmpty() && cursor.behind();
    }

    private Future<Void> tryNext() {
        return !isDue()
                ? Future.succeededFuture()
                : step().recover(cause -> isRepeated(cause)
                                ? vertx.timer(STORE_RETRY_DELAY.toMillis()).mapEmpty()
                                : Future.succeededFuture())
                        .onSuccess(done -> next());
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

    /** Whether the receiver subscribes to this event. */
    static boolean isWanted(NotifySpec receiver, StoredEvent event) {
        return Attention.isWanted(receiver, event.type(), () -> Message.read(event));
    }

    private Future<Void> deliverNext(Targets of) {
        OutboxTarget target = cursor.target();
        NotifySpec receiver = of.notifications().get(target.notification());
        EventQuery pending = EventQuery.between(
                target.runId(), Attention.types(receiver), cursor.sequence(), cursor.newestPending() + 1, PAGE);
        return store.events(pending).compose(page -> {
            storeFailed = false;
            if (page.isEmpty()) {
                return drop();
            }
            List<StoredEvent> wanted = page.stream()
                    .map(PositionedEvent::event)
                    .filter(event -> !ahead.contains(event.sequence()) && isWanted(receiver, event))
                    .toList();
            long last = page.get(page.size() - 1).event().sequence();
            return wanted.isEmpty() ? record(after(last)) : deliverFirst(receiver, of, new Batch(wanted, last));
        });
    }

    /**
     * Pending events of one receiver, and those that one message is about.
     *
     * @param last sequence of the last event that was read
     * @param first those of one kind, oldest first
     */
    private record Batch(List<StoredEvent> pending, long last, List<StoredEvent> first) {
        Batch(List<StoredEvent> pending, long last) {
            this(pending, last, pending.subList(0, 1));
        }

        StoredEvent newest() {
            return first.get(first.size() - 1);
        }

        /** Returns the sequence up to which nothing is pending after this message. */
        long end() {
            return pending.stream()
                    .filter(event -> !first.contains(event))
                    .mapToLong(event -> event.sequence() - 1)
                    .findFirst()
                    .orElse(last);
        }
    }

    private Future<Void> deliverFirst(NotifySpec receiver, Targets of, Batch batch) {
        if (!receiver.isChat()) {
            return deliver(receiver, of, batch);
        }
        Duration shortest = options.spacing();
        for (StoredEvent event : batch.pending()) {
            Optional<Duration> left = holds.left(hold(event));
            if (left.isEmpty()) {
                List<StoredEvent> sameKind = batch.pending().stream()
                        .filter(other -> hold(other).equals(hold(event)))
                        .limit(event.type().equals(ASK) ? MOST_ASKS : Long.MAX_VALUE)
                        .toList();
                return deliver(receiver, of, new Batch(batch.pending(), batch.last(), sameKind));
            }
            shortest = left.get().compareTo(shortest) < 0 ? left.get() : shortest;
        }
        holdTimer = OptionalLong.of(vertx.setTimer(Math.max(1, shortest.toMillis()), due -> {
            holdTimer = OptionalLong.empty();
            next();
        }));
        return Future.succeededFuture();
    }

    private String hold(StoredEvent event) {
        return cursor.target() + " " + Message.read(event).map(Attention::kind).orElse(event.type());
    }

    private Future<Void> deliver(NotifySpec receiver, Targets of, Batch batch) {
        return (receiver.isChat() ? unanswered(batch.first()) : Future.succeededFuture(batch.first()))
                .compose(events -> events.isEmpty()
                        ? done(batch)
                        : attempt.make(receiver, of, events).compose(outcome -> tried(receiver, batch, outcome)));
    }

    /** Returns the events without asks that are closed by now, which need no person any more. */
    private Future<List<StoredEvent>> unanswered(List<StoredEvent> events) {
        if (!events.get(0).type().equals(ASK)) {
            return Future.succeededFuture(events);
        }
        return store.find(cursor.target().runId())
                .map(row -> row.flatMap(RunRow::run)
                        .map(run -> events.stream()
                                .filter(event -> run.asks().stream()
                                        .anyMatch(ask -> ask.askId()
                                                .equals(event.data()
                                                        .path("askId")
                                                        .asText())))
                                .toList())
                        .orElse(events));
    }

    private Future<Void> tried(NotifySpec receiver, Batch batch, DeliveryOutcome outcome) {
        StoredEvent event = batch.newest();
        int tries = cursor.tries() + 1;
        if (outcome instanceof DeliveryOutcome.Failed failed
                && tries < options.attempts().most()) {
            Duration usual = options.attempts().delayAfter(tries);
            pause(event, failed.least().compareTo(usual) > 0 ? failed.least() : usual, failed.text());
            return record(new OutboxCursor(cursor.target(), cursor.sequence(), cursor.newestPending(), tries));
        }
        if (outcome instanceof DeliveryOutcome.Failed failed) {
            giveUp(event, failed.text() + ", after " + tries + " tries");
        } else if (outcome instanceof DeliveryOutcome.Undeliverable undeliverable) {
            giveUp(event, undeliverable.text());
        } else if (outcome instanceof DeliveryOutcome.Delivered && receiver.isChat()) {
            holds.hold(hold(event), options.spacing());
        }
        return done(batch);
    }

    private Future<Void> done(Batch batch) {
        batch.first().forEach(event -> ahead.add(event.sequence()));
        ahead.removeIf(done -> done <= batch.end());
        return record(after(batch.end()));
    }

    private OutboxCursor after(long sequence) {
        return new OutboxCursor(cursor.target(), sequence, cursor.newestPending(), 0);
    }

    private static void giveUp(StoredEvent event, String reason) {
        LOG.warn("notification {}:{} will not be delivered: {}", event.runId(), event.sequence(), reason);
    }

    /** Gives up all pending deliveries, with one log line. */
    private Future<Void> drop() {
        LOG.warn(
                "run {}: events {} to {} are not sent to receiver {}: the run was removed",
                cursor.target().runId(),
                cursor.sequence() + 1,
                cursor.newestPending(),
                cursor.target().notification());
        return record(after(cursor.newestPending()));
    }

    /** Stores the cursor; nothing else is delivered until it is durable. */
    private Future<Void> record(OutboxCursor now) {
        cursor = new OutboxCursor(
                now.target(), now.sequence(), Math.max(cursor.newestPending(), now.newestPending()), now.tries());
        return Retries.every(vertx, STORE_RETRY_DELAY, this::isRepeated, () -> store.tried(now))
                .onSuccess(durable -> storeFailed = false)
                .otherwiseEmpty();
    }

    private boolean isRepeated(Throwable cause) {
        if (!storeFailed) {
            LOG.warn(
                    "notifications of run {} wait for the store: {}",
                    cursor.target().runId(),
                    cause.toString());
        }
        storeFailed = true;
        paused |= ending; // The next runtime continues.
        return !ending;
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
