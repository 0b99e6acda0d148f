package dev.loopkeeper.store;

import dev.loopkeeper.policy.CapUse;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.StepUsage;
import dev.loopkeeper.store.StoreChannels.CapUses;
import dev.loopkeeper.view.Caps;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.SingleFlight;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the use of the caps: reads it on request, and at most once a second while steps report. */
final class CapKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(CapKeeper.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration PURGE_EVERY = Duration.ofDays(1);
    /** Longer than any window. */
    private static final Duration KEPT = Duration.ofDays(40);

    private final Vertx vertx;
    private final EventStore store;
    private final PolicyKeeper policies;
    private final CapSums sums;
    private final SingleFlight<List<CapUse>> reads = new SingleFlight<>(this::read);
    private List<CapUse> published = List.of();
    private boolean news;

    CapKeeper(Vertx vertx, EventStore store, PolicyKeeper policies) {
        this.vertx = vertx;
        this.store = store;
        this.policies = policies;
        this.sums = new CapSums(store);
    }

    Future<Void> begin() {
        policies.onChange(policy -> news = true);
        vertx.setPeriodic(INTERVAL.toMillis(), tick -> look());
        vertx.setPeriodic(0, PURGE_EVERY.toMillis(), tick -> purge());
        news = true;
        return Future.all(
                        StoreChannels.eventsOf(EventTypes.of(StepUsage.class))
                                .listen(vertx.eventBus(), event -> news = true)
                                .completion(),
                        StoreChannels.eventsOf(EventTypes.of(StepFinished.class))
                                .listen(vertx.eventBus(), event -> news = true)
                                .completion(),
                        StoreChannels.CAP_USE.serve(
                                vertx.eventBus(), asked -> reads.run().map(CapUses::new)),
                        StoreChannels.CAPS.serve(vertx.eventBus(), asked -> show()))
                .mapEmpty();
    }

    private void look() {
        if (news && !(policies.current().policy().caps().isEmpty() && published.isEmpty())) {
            reads.run().onFailure(cause -> LOG.debug("the use of the caps cannot be read yet: {}", cause.getMessage()));
        }
    }

    private Future<List<CapUse>> read() {
        news = false;
        return sums.read(policies.current().policy(), Instants.now())
                .onSuccess(this::publish)
                .onFailure(cause -> news = true);
    }

    private void publish(List<CapUse> uses) {
        if (!uses.equals(published)) {
            published = uses;
            StoreChannels.CAP_USE_CHANGED.publish(vertx.eventBus(), new CapUses(uses));
        }
    }

    /** Has sums of its own, because the others are read one at a time. */
    private Future<Caps> show() {
        return new CapSums(store).show(policies.current().policy(), Instants.now());
    }

    private void purge() {
        store.forgetUsage(Instants.now().minus(KEPT))
                .onFailure(cause -> LOG.debug("old usage is not removed yet: {}", cause.getMessage()));
    }
}
