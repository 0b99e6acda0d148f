package dev.loopkeeper.notify;

import dev.loopkeeper.manifest.NotifySpec;
import dev.loopkeeper.notification.AnswerToken;
import dev.loopkeeper.notification.Link;
import dev.loopkeeper.run.AskOpened;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.Outbox.OutboxCursor;
import dev.loopkeeper.store.Outbox.OutboxState;
import dev.loopkeeper.store.Outbox.OutboxTarget;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.SingleFlight;
import dev.loopkeeper.work.TimeLimit;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the events of each run to the receivers in its manifest, until delivered or given up. It scans events after
 * they are durable, and runs never wait for it. Pending deliveries are durable in the store; memory holds one {@link
 * DeliveryQueue} per receiver with pending deliveries, and no events. Used from one context only.
 */
final class Notifier {
    private static final Logger LOG = LoggerFactory.getLogger(Notifier.class);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
    private static final String ASK = EventTypes.of(AskOpened.class);
    private static final Set<String> ANSWERABLE = Set.of(EventTypes.of(RunPaused.class), ASK);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int PAGE = 500;
    /** Most events without a receiver that a crash may cause to be scanned again. */
    private static final long MOST_UNRECORDED = 500;

    private final Vertx vertx;
    private final NotifierOptions options;
    private final EventStore store;
    private final RunTargets targets;
    private final Delivery delivery;
    private final Holds holds = new Holds(Instants::now);
    private final Map<OutboxTarget, DeliveryQueue> queues = new HashMap<>();
    private final SingleFlight<Void> scans = new SingleFlight<>(this::scan);
    private Optional<PositionedEvent> newest = Optional.empty();
    private long position;
    private long written;
    private boolean begun;
    private boolean ending;
    private boolean storeFailed;

    Notifier(Vertx vertx, NotifierOptions options, EventStore store, Delivery delivery) {
        this.vertx = vertx;
        this.options = options;
        this.store = store;
        this.targets = new RunTargets(store);
        this.delivery = delivery;
    }

    /** Resumes the pending deliveries of an earlier runtime, then scans the events since its last scan. */
    void begin(OutboxState state) {
        position = state.position();
        written = position;
        begun = true;
        state.pending().forEach(this::deliver);
        scans.run();
    }

    /** Receives one more event, in the order of positions. One that arrives during a scan is read from the store. */
    void receive(PositionedEvent event) {
        if (!begun || ending) {
            return;
        }
        if (!scans.isRunning()) {
            newest = Optional.of(event);
        }
        scans.run();
    }

    private Future<Void> scan() {
        Optional<PositionedEvent> only = newest;
        newest = Optional.empty();
        return only.map(event -> scan(List.of(event)).map(false))
                .orElseGet(this::scanPage)
                .recover(this::afterStoreFailure)
                .onSuccess(more -> {
                    if (more && !ending) {
                        scans.run();
                    }
                })
                .mapEmpty();
    }

    /** Scans a page of the store; returns whether there may be further events. */
    private Future<Boolean> scanPage() {
        return ending
                ? Future.succeededFuture(false)
                : store.eventsAfter(position, PAGE).compose(page -> scan(page).map(!page.isEmpty()));
    }

    private Future<Boolean> afterStoreFailure(Throwable cause) {
        if (!storeFailed) {
            LOG.warn("notifications wait for the store: {}", cause.getMessage());
        }
        storeFailed = true;
        return ending
                ? Future.succeededFuture(false)
                : vertx.timer(RETRY_DELAY.toMillis()).map(true);
    }

    /** Scans these events; completes when the resulting pending deliveries are durable. */
    private Future<Void> scan(List<PositionedEvent> events) {
        Map<OutboxTarget, OutboxCursor> pending = new LinkedHashMap<>();
        Future<?> scanned = Future.succeededFuture();
        for (PositionedEvent next : events) {
            scanned = scanned.compose(before -> targets.of(next.event().runId()))
                    .onSuccess(found -> found.ifPresent(of -> addPending(next, of, pending)));
        }
        return scanned.compose(all -> events.isEmpty()
                ? Future.succeededFuture()
                : recordScan(events.get(events.size() - 1).position(), pending));
    }

    private void addPending(PositionedEvent positioned, Targets of, Map<OutboxTarget, OutboxCursor> pending) {
        StoredEvent event = positioned.event();
        if (positioned.position() <= position) {
            return;
        }
        List<NotifySpec> notifications = of.notifications();
        for (int index = 0; index < notifications.size(); index++) {
            if (DeliveryQueue.isWanted(notifications.get(index), event)) {
                OutboxTarget target = new OutboxTarget(event.runId(), index);
                long before = Optional.ofNullable(pending.get(target))
                        .map(OutboxCursor::sequence)
                        .orElse(event.sequence() - 1);
                pending.put(target, new OutboxCursor(target, before, event.sequence(), 0));
            }
        }
    }

    private Future<Void> recordScan(long to, Map<OutboxTarget, OutboxCursor> pending) {
        if (pending.isEmpty() && to - written < MOST_UNRECORDED) {
            position = Math.max(position, to);
            return Future.succeededFuture();
        }
        return store.addPending(to, List.copyOf(pending.values())).map(durable -> {
            storeFailed = false;
            position = Math.max(position, to);
            written = position;
            durable.forEach(this::deliver);
            return null;
        });
    }

    private void deliver(OutboxCursor cursor) {
        if (ending) {
            return; // It is durable: the next runtime delivers it.
        }
        queues.values().removeIf(DeliveryQueue::isOver);
        queues.computeIfAbsent(
                        cursor.target(),
                        fresh -> new DeliveryQueue(vertx, options, store, targets, this::attempt, holds, cursor))
                .addPending(cursor.newestPending());
    }

    private Future<DeliveryOutcome> attempt(NotifySpec receiver, Targets of, List<StoredEvent> events) {
        StoredEvent event = events.get(events.size() - 1);
        Message message = Message.of(event, of.name(), options.page(event.runId()));
        return cost(receiver, event.runId())
                .compose(usd -> answers(receiver, events)
                        .compose(links -> delivery.attempt(receiver, of, message, usd, events.size() - 1, links)))
                .otherwise(cause -> new DeliveryOutcome.Failed(String.valueOf(cause.getMessage())));
    }

    /**
     * Returns the links that answer a pause, or each of some asks, the newest first. Only chats get them, since other
     * receivers may log them.
     */
    private Future<List<Link>> answers(NotifySpec receiver, List<StoredEvent> events) {
        StoredEvent newest = events.get(events.size() - 1);
        if (!receiver.isChat() || options.publicUrl().isEmpty() || !ANSWERABLE.contains(newest.type())) {
            return Future.succeededFuture(List.of());
        }
        byte[] fresh = new byte[32];
        RANDOM.nextBytes(fresh);
        boolean asks = newest.type().equals(ASK);
        return store.answerKey(Optional.of(HexFormat.of().formatHex(fresh)))
                .map(key -> (asks ? events : List.of(newest))
                        .stream()
                                .sorted(Comparator.comparing(StoredEvent::sequence)
                                        .reversed())
                                .flatMap(event -> key
                                        .map(known -> new AnswerToken(event.runId(), event.sequence()).text(known))
                                        .flatMap(options::answer)
                                        .map(page -> new Link(label(event, asks && events.size() > 1), page))
                                        .stream())
                                .toList());
    }

    private static String label(StoredEvent event, boolean oneOfMany) {
        return oneOfMany ? "Answer " + event.data().path("askId").asText() : "Answer";
    }

    private Future<OptionalDouble> cost(NotifySpec receiver, String runId) {
        return receiver.isChat()
                ? store.find(runId)
                        .map(row -> row.flatMap(RunRow::run)
                                .map(run -> run.usage().costUsd())
                                .orElse(OptionalDouble.empty()))
                : Future.succeededFuture(OptionalDouble.empty());
    }

    /**
     * Stops at once, since another process continues. Deliveries in progress still arrive, and the other process may
     * repeat them.
     */
    void drop() {
        leave();
        delivery.webhook().close();
    }

    private void leave() {
        ending = true;
        queues.values().forEach(DeliveryQueue::leave);
    }

    /** Attempts the deliveries that are due, for a few seconds at most, and leaves the rest to the next runtime. */
    Future<Void> end() {
        if (!begun) {
            delivery.webhook().close();
            return Future.succeededFuture();
        }
        Future<Void> tried = scans.idle()
                .compose(scanned -> Future.join(
                                queues.values().stream().map(DeliveryQueue::end).toList())
                        .mapEmpty());
        return TimeLimit.of(vertx, tried, options.farewell())
                .recover(late -> {
                    leave(); // Before the commands end, since their ends would be retried otherwise.
                    return TimeLimit.of(vertx, delivery.command().endAll(), options.farewell());
                })
                .otherwiseEmpty()
                .onComplete(over -> ending = true)
                .compose(over -> TimeLimit.of(vertx, store.addPending(position, List.of()), options.farewell())
                        .<Void>mapEmpty()
                        .otherwiseEmpty())
                .onComplete(over -> delivery.webhook().close());
    }
}
