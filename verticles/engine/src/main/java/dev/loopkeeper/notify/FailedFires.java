package dev.loopkeeper.notify;

import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.manifest.NotifySpec;
import dev.loopkeeper.notification.Attention;
import dev.loopkeeper.notification.Link;
import dev.loopkeeper.policy.Fire;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.FireStore;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends fires that begin no run to the receivers of the schedule's newest run, until delivered or given up: a crash
 * repeats them. The fires of a schedule are sent once a minute. Used from one context only.
 */
final class FailedFires {
    private static final Logger LOG = LoggerFactory.getLogger(FailedFires.class);
    /** For fires that other processes record. */
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final NotifierOptions options;
    private final EventStore store;
    private final RunTargets targets;
    private final Delivery delivery;
    private final Holds holds = new Holds(Instants::now);
    /** Schedules whose failed fires are being sent. */
    private final Set<String> sending = new HashSet<>();

    private OptionalLong timer = OptionalLong.empty();

    FailedFires(Vertx vertx, NotifierOptions options, EventStore store, Delivery delivery) {
        this.vertx = vertx;
        this.options = options;
        this.store = store;
        this.targets = new RunTargets(store);
        this.delivery = delivery;
    }

    void begin() {
        end();
        timer = OptionalLong.of(vertx.setPeriodic(1, INTERVAL.toMillis(), due -> look()));
    }

    void end() {
        timer.ifPresent(vertx::cancelTimer);
        timer = OptionalLong.empty();
    }

    /** Sends what is not sent yet, while this process delivers notifications. */
    void look() {
        if (timer.isEmpty()) {
            return;
        }
        store.unsentFires()
                .onSuccess(unsent -> unsent.stream()
                        .collect(Collectors.groupingBy(Fire::schedule))
                        .forEach(this::send))
                .onFailure(cause -> LOG.debug("failed fires wait for the store: {}", cause.getMessage()));
    }

    /** @param failed oldest first */
    private void send(String schedule, List<Fire> failed) {
        if (timer.isEmpty() || holds.left(schedule).isPresent() || !sending.add(schedule)) {
            return;
        }
        store.fires(schedule, FireStore.KEPT)
                .compose(fires -> fires.stream()
                        .flatMap(fire -> fire.runId().stream())
                        .findFirst()
                        .map(runId -> targets.of(runId)
                                .compose(found ->
                                        found.map(of -> send(failed, runId, of)).orElseGet(Future::succeededFuture)))
                        .orElseGet(Future::succeededFuture))
                .compose(
                        sent -> Future.join(failed.stream().map(store::sentFire).toList()))
                .onFailure(cause ->
                        LOG.warn("the failed fires of schedule {} are sent later: {}", schedule, cause.getMessage()))
                .onComplete(over -> sending.remove(schedule));
    }

    /** A chat gets one message about all of them. */
    private Future<Void> send(List<Fire> failed, String runId, Targets of) {
        holds.hold(failed.get(0).schedule(), options.spacing());
        int more = failed.size() - 1;
        return Future.join(of.notifications().stream()
                        .flatMap(receiver -> receiver.isChat()
                                ? Stream.of(send(failed.get(more), more, runId, receiver, of))
                                : failed.stream().map(fire -> send(fire, 0, runId, receiver, of)))
                        .toList())
                .mapEmpty();
    }

    private Future<Void> send(Fire fire, int more, String runId, NotifySpec receiver, Targets of) {
        Notice notice = Notice.of(
                Attention.FIRE_FAILED,
                "schedule " + fire.schedule() + " began no run at " + fire.at()
                        + fire.message().map(why -> ": " + why).orElse(""));
        // Each fire is a delivery of its own, though the run has no such event.
        StoredEvent event = new StoredEvent(
                runId, fire.at().toEpochMilli(), Instants.now(), EventTypes.of(notice), 1, EventJson.write(notice));
        if (!DeliveryQueue.isWanted(receiver, event)) {
            return Future.succeededFuture();
        }
        Message message = Message.of(event, of.name(), options.link("#/policy/" + fire.schedule()));
        List<Link> links = message.url().stream()
                .map(page -> new Link("Open the schedule", page))
                .toList();
        return attempt(
                fire.schedule(), 1, () -> delivery.attempt(receiver, of, message, OptionalDouble.empty(), more, links));
    }

    private Future<Void> attempt(String schedule, int tries, Supplier<Future<DeliveryOutcome>> delivering) {
        return delivering.get().compose(outcome -> {
            if (outcome instanceof DeliveryOutcome.Failed failed
                    && tries < options.attempts().most()) {
                Duration usual = options.attempts().delayAfter(tries);
                Duration delay = failed.least().compareTo(usual) > 0 ? failed.least() : usual;
                return vertx.timer(delay.toMillis()).compose(due -> attempt(schedule, tries + 1, delivering));
            } else if (!(outcome instanceof DeliveryOutcome.Delivered)) {
                LOG.warn("the failed fire of schedule {} is not delivered: {}", schedule, outcome.text());
            }
            return Future.succeededFuture();
        });
    }
}
