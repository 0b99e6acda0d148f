package dev.loopkeeper.notify;

import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.manifest.NotifySpec;
import dev.loopkeeper.notification.Attention;
import dev.loopkeeper.policy.Fire;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.view.ScheduleStatus;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends fires that begin no run to the receivers of the schedule's newest run. Each process sends those that it
 * recorded; a crash may lose one, and the schedule still needs attention then. Used from one context only.
 */
final class FailedFires {
    private static final Logger LOG = LoggerFactory.getLogger(FailedFires.class);

    private final Vertx vertx;
    private final NotifierOptions options;
    private final EventStore store;
    private final RunTargets targets;
    private final Delivery delivery;

    FailedFires(Vertx vertx, NotifierOptions options, EventStore store, Delivery delivery) {
        this.vertx = vertx;
        this.options = options;
        this.store = store;
        this.targets = new RunTargets(store);
        this.delivery = delivery;
    }

    void failed(Fire fire) {
        store.fires(fire.schedule(), ScheduleStatus.FIRES)
                .compose(fires -> fires.stream()
                        .flatMap(one -> one.runId().stream())
                        .findFirst()
                        .map(runId -> targets.of(runId).<Void>map(found -> {
                            found.ifPresent(of -> send(fire, runId, of));
                            return null;
                        }))
                        .orElseGet(Future::succeededFuture))
                .onFailure(cause -> LOG.warn(
                        "the failed fire of schedule {} is not sent: {}", fire.schedule(), cause.getMessage()));
    }

    private void send(Fire fire, String runId, Targets of) {
        Notice notice = Notice.of(
                Attention.FIRE_FAILED,
                "schedule " + fire.schedule() + " began no run at " + fire.at()
                        + fire.message().map(why -> ": " + why).orElse(""));
        // Each fire is a delivery of its own, though the run has no such event.
        StoredEvent event = new StoredEvent(
                runId, fire.at().getEpochSecond(), Instants.now(), EventTypes.of(notice), 1, EventJson.write(notice));
        Message message = Message.of(event, of.name(), options.link("#/policy/" + fire.schedule()));
        of.notifications().stream()
                .filter(receiver -> DeliveryQueue.isWanted(receiver, event))
                .forEach(receiver -> attempt(fire, receiver, of, message, 1));
    }

    private void attempt(Fire fire, NotifySpec receiver, Targets of, Message message, int tries) {
        delivery.attempt(receiver, of, message).onSuccess(outcome -> {
            if (outcome instanceof DeliveryOutcome.Failed failed
                    && tries < options.attempts().most()) {
                Duration usual = options.attempts().delayAfter(tries);
                Duration delay = failed.least().compareTo(usual) > 0 ? failed.least() : usual;
                vertx.setTimer(delay.toMillis(), due -> attempt(fire, receiver, of, message, tries + 1));
            } else if (!(outcome instanceof DeliveryOutcome.Delivered)) {
                LOG.warn("the failed fire of schedule {} is not delivered: {}", fire.schedule(), outcome.text());
            }
        });
    }
}
