package dev.loopkeeper.notify;

import dev.loopkeeper.manifest.NotifySpec;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoreQuestions;
import dev.loopkeeper.store.StoredEvent;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owes every event to those whom its run's manifest names, until it is delivered or given up. Looks at each event
 * after it is durable and beside the run, which never waits for it. Used from one context only.
 */
final class Notifier {
    private static final Logger LOG = LoggerFactory.getLogger(Notifier.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration FAREWELL = Duration.ofSeconds(5);
    private static final Duration AGAIN_AFTER = Duration.ofSeconds(1);
    private static final int PAGE = 500;

    private final Vertx vertx;
    private final NotifierOptions options;
    private final Outbox outbox;
    private final RunTargets targets;
    private final Webhook webhook;
    private final NotifyCommand command;
    private final Deque<PositionedEvent> heard = new ArrayDeque<>();
    private final Map<String, Lane> lanes = new HashMap<>();
    private Future<Void> looking = Future.succeededFuture();
    private boolean ending;

    Notifier(Vertx vertx, NotifierOptions options, Outbox outbox, Webhook webhook, NotifyCommand command) {
        this.vertx = vertx;
        this.options = options;
        this.outbox = outbox;
        this.targets = new RunTargets(vertx.eventBus());
        this.webhook = webhook;
        this.command = command;
    }

    /** Sends what an earlier runtime owed, then looks at what happened since it looked last. */
    void begin() {
        outbox.pending().forEach(this::deliver);
        looking = outbox.flush().compose(kept -> catchUp()).compose(upToDate -> lookAtHeard());
    }

    /** Hears one more event, in the order of positions. */
    void hear(PositionedEvent event) {
        heard.add(event);
        if (looking.isComplete()) {
            looking = lookAtHeard();
        }
    }

    private Future<Void> catchUp() {
        return StoreChannels.READ_FEED
                .ask(vertx.eventBus(), new StoreQuestions.EventsAfter(outbox.position(), PAGE), PATIENCE)
                .compose(page -> inOrder(new ArrayDeque<>(page.events()))
                        .compose(done -> page.events().isEmpty() || ending ? Future.succeededFuture() : catchUp()))
                .recover(cause -> afterAWhile(cause).compose(again -> ending ? Future.succeededFuture() : catchUp()));
    }

    private Future<Void> lookAtHeard() {
        return inOrder(heard).recover(cause -> afterAWhile(cause).compose(again -> lookAtHeard()));
    }

    /** An event leaves the queue when it was looked at. */
    private Future<Void> inOrder(Deque<PositionedEvent> events) {
        while (!events.isEmpty() && !ending) {
            PositionedEvent next = events.element();
            Optional<Targets> known = targets.known(next.event());
            if (known.isEmpty()) {
                return targets.of(next.event().runId()).compose(found -> {
                    owe(events.remove(), found.map(Targets::notifications).orElse(List.of()));
                    return inOrder(events);
                });
            }
            owe(events.remove(), known.get().notifications());
        }
        return Future.succeededFuture();
    }

    private Future<Void> afterAWhile(Throwable cause) {
        LOG.warn("events cannot be read for notifications: {}", cause.getMessage());
        return ending
                ? Future.succeededFuture()
                : vertx.timer(AGAIN_AFTER.toMillis(), TimeUnit.MILLISECONDS).mapEmpty();
    }

    private void owe(PositionedEvent positioned, List<NotifySpec> notifications) {
        StoredEvent event = positioned.event();
        if (positioned.position() <= outbox.position()) {
            return;
        }
        List<Delivery> owed = IntStream.range(0, notifications.size())
                .filter(index -> notifications.get(index).events().contains(event.type()))
                .mapToObj(index -> new Delivery(event.runId(), event.sequence(), index, 0))
                .toList();
        outbox.advance(positioned.position(), owed).forEach(this::deliver);
    }

    private void deliver(Delivery delivery) {
        String lane = delivery.runId() + "/" + delivery.notification();
        lanes.computeIfAbsent(lane, name -> new Lane(vertx, options, outbox, this::attempt))
                .add(delivery);
        lanes.values().removeIf(other -> other.isEmpty());
    }

    private Future<Outcome> attempt(Delivery delivery) {
        return Future.all(targets.of(delivery.runId()), targets.event(delivery.runId(), delivery.sequence()))
                .compose(both -> attempt(delivery, both.resultAt(0), both.resultAt(1)));
    }

    private Future<Outcome> attempt(Delivery delivery, Optional<Targets> of, Optional<StoredEvent> event) {
        if (of.isEmpty()
                || event.isEmpty()
                || delivery.notification() >= of.get().notifications().size()) {
            return Future.succeededFuture(new Outcome.Hopeless("the run is not kept any more"));
        }
        NotifySpec receiver = of.get().notifications().get(delivery.notification());
        Message message = Message.of(event.get(), of.get().name());
        return receiver.command().isPresent()
                ? command.run(receiver.command().get(), of.get(), message)
                : webhook.post(receiver, delivery, message);
    }

    /** Tries what waits for nothing else, for a few seconds at most, and leaves the rest to the next runtime. */
    Future<Void> end() {
        return looking.compose(looked -> Future.join(
                                lanes.values().stream().map(Lane::end).toList())
                        .<Void>mapEmpty())
                .timeout(FAREWELL.toMillis(), TimeUnit.MILLISECONDS)
                .otherwiseEmpty()
                .onComplete(over -> ending = true)
                .eventually(outbox::flush)
                .onComplete(over -> webhook.close());
    }
}
