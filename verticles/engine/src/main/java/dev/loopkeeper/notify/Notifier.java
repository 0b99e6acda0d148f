package dev.loopkeeper.notify;

import dev.loopkeeper.manifest.NotifySpec;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.OutboxCursor;
import dev.loopkeeper.store.OutboxState;
import dev.loopkeeper.store.OutboxTarget;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.work.SingleFlight;
import dev.loopkeeper.work.TimeLimit;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owes every event to those whom its run's manifest names, until it is delivered or given up. Looks at each event
 * after it is durable and beside the run, which never waits for it. What is owed is durable in the store; in memory
 * there is one {@link DeliveryQueue} for each receiver that is owed something, and no event. Used from one context only.
 */
final class Notifier {
    private static final Logger LOG = LoggerFactory.getLogger(Notifier.class);
    private static final Duration AGAIN_AFTER = Duration.ofSeconds(1);
    private static final int PAGE = 500;
    /** How many events that concern nobody may be looked at again after a crash. */
    private static final long MOST_BEHIND = 500;

    private final Vertx vertx;
    private final NotifierOptions options;
    private final EventStore store;
    private final RunTargets targets;
    private final Webhook webhook;
    private final NotifyCommand command;
    private final Map<OutboxTarget, DeliveryQueue> queues = new HashMap<>();
    private final SingleFlight<Void> looks = new SingleFlight<>(this::look);
    private Optional<PositionedEvent> heard = Optional.empty();
    private long position;
    private long written;
    private boolean begun;
    private boolean ending;
    private boolean troubled;

    Notifier(Vertx vertx, NotifierOptions options, EventStore store, Webhook webhook, NotifyCommand command) {
        this.vertx = vertx;
        this.options = options;
        this.store = store;
        this.targets = new RunTargets(store);
        this.webhook = webhook;
        this.command = command;
    }

    /** Sends what an earlier runtime owed, then looks at what happened since it looked last. */
    void begin(OutboxState state) {
        position = state.position();
        written = position;
        begun = true;
        state.pending().forEach(this::deliver);
        looks.run();
    }

    /** Hears one more event, in the order of positions. One that comes while others are looked at is read again. */
    void hear(PositionedEvent event) {
        if (!begun || ending) {
            return;
        }
        if (!looks.isRunning()) {
            heard = Optional.of(event);
        }
        looks.run();
    }

    private Future<Void> look() {
        Optional<PositionedEvent> only = heard;
        heard = Optional.empty();
        return only.map(this::lookAt).orElseGet(this::lookAtStore);
    }

    private Future<Void> lookAt(PositionedEvent event) {
        return look(List.of(event))
                .recover(this::afterAWhile)
                .compose(looked -> position < event.position() ? lookAtStore() : Future.succeededFuture());
    }

    /** Page by page, until nothing is left that was heard of. */
    private Future<Void> lookAtStore() {
        if (ending) {
            return Future.succeededFuture();
        }
        return store.eventsAfter(position, PAGE)
                .compose(page -> look(page).map(page.isEmpty()))
                .compose(end -> end ? Future.succeededFuture() : lookAtStore())
                .recover(cause -> afterAWhile(cause).compose(again -> lookAtStore()));
    }

    private Future<Void> afterAWhile(Throwable cause) {
        if (!troubled) {
            LOG.warn("notifications wait for the store: {}", cause.getMessage());
        }
        troubled = true;
        return ending
                ? Future.succeededFuture()
                : vertx.timer(AGAIN_AFTER.toMillis(), TimeUnit.MILLISECONDS).mapEmpty();
    }

    /** These were looked at when it completes, and what they lead to is durable. */
    private Future<Void> look(List<PositionedEvent> events) {
        return look(events, 0, new LinkedHashMap<>());
    }

    private Future<Void> look(List<PositionedEvent> events, int from, Map<OutboxTarget, OutboxCursor> owed) {
        for (int index = from; index < events.size(); index++) {
            PositionedEvent next = events.get(index);
            Optional<Targets> known = targets.known(next.event());
            if (known.isEmpty()) {
                int after = index + 1;
                return targets.of(next.event().runId()).compose(found -> {
                    found.ifPresent(of -> owe(next, of, owed));
                    return look(events, after, owed);
                });
            }
            owe(next, known.get(), owed);
        }
        return events.isEmpty()
                ? Future.succeededFuture()
                : lookedAt(events.get(events.size() - 1).position(), owed);
    }

    private void owe(PositionedEvent positioned, Targets of, Map<OutboxTarget, OutboxCursor> owed) {
        StoredEvent event = positioned.event();
        if (positioned.position() <= position) {
            return;
        }
        List<NotifySpec> notifications = of.notifications();
        for (int index = 0; index < notifications.size(); index++) {
            if (notifications.get(index).events().contains(event.type())) {
                OutboxTarget target = new OutboxTarget(event.runId(), index);
                long before = Optional.ofNullable(owed.get(target))
                        .map(OutboxCursor::sequence)
                        .orElse(event.sequence() - 1);
                owed.put(target, new OutboxCursor(target, before, event.sequence(), 0));
            }
        }
    }

    private Future<Void> lookedAt(long to, Map<OutboxTarget, OutboxCursor> owed) {
        if (owed.isEmpty() && to - written < MOST_BEHIND) {
            position = Math.max(position, to);
            return Future.succeededFuture();
        }
        return store.addPending(to, List.copyOf(owed.values())).map(durable -> {
            troubled = false;
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
                        fresh -> new DeliveryQueue(vertx, options, store, targets, this::attempt, cursor))
                .owe(cursor.newestPending());
    }

    private Future<DeliveryOutcome> attempt(NotifySpec receiver, Targets of, StoredEvent event) {
        Message message = Message.of(event, of.name(), options.page(event.runId()));
        return (receiver.command().isPresent()
                        ? command.run(receiver.command().get(), of, message)
                        : webhook.post(receiver, message))
                .otherwise(cause -> new DeliveryOutcome.Failed(String.valueOf(cause.getMessage())));
    }

    /** Begins nothing any more: somebody else goes on. What is on its way arrives, and may be told once more by them. */
    void drop() {
        leave();
        webhook.close();
    }

    private void leave() {
        ending = true;
        queues.values().forEach(DeliveryQueue::leave);
    }

    /** Tries what waits for nothing else, for a few seconds at most, and leaves the rest to the next runtime. */
    Future<Void> end() {
        if (!begun) {
            webhook.close();
            return Future.succeededFuture();
        }
        Future<Void> tried = looks.idle()
                .compose(looked -> Future.join(
                                queues.values().stream().map(DeliveryQueue::end).toList())
                        .mapEmpty());
        return TimeLimit.of(vertx, tried, options.farewell())
                .recover(late -> {
                    leave(); // First: what is ended here would be tried again else.
                    return TimeLimit.of(vertx, command.endAll(), options.farewell());
                })
                .otherwiseEmpty()
                .onComplete(over -> ending = true)
                .compose(over -> TimeLimit.of(vertx, store.addPending(position, List.of()), options.farewell())
                        .<Void>mapEmpty()
                        .otherwiseEmpty())
                .onComplete(over -> webhook.close());
    }
}
