package dev.loopkeeper.cluster;

import dev.loopkeeper.store.Duties;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.store.postgres.RunOwners;
import dev.loopkeeper.work.HomeContext;
import dev.loopkeeper.work.InOrder;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes duties that no live node has, and gives them up with the lease. Used on one context. */
final class NodeDuties implements Duties {
    private static final Logger LOG = LoggerFactory.getLogger(NodeDuties.class);
    private static final Duration END_TIMEOUT = Duration.ofSeconds(15);

    private final String node;
    private final HomeContext home;
    private final RunOwners owners;
    private final LeasedOwnership ownership;
    private final List<Offer> offers = new ArrayList<>();
    private Future<Void> polling = Future.succeededFuture();
    private boolean ended;

    private static final class Offer {
        private final String name;
        private final Duty duty;
        /** Incarnation under which the node has the duty; 0 if it has it not. */
        private long term;

        private Offer(String name, Duty duty) {
            this.name = name;
            this.duty = duty;
        }
    }

    NodeDuties(String node, HomeContext home, RunOwners owners, LeasedOwnership ownership) {
        this.node = node;
        this.home = home;
        this.owners = owners;
        this.ownership = ownership;
    }

    /** Offers a duty, which a later poll takes. Any thread. */
    @Override
    public Future<Void> offer(String name, Duty duty) {
        return home.call(() -> {
            offers.add(new Offer(name, duty));
            return Future.succeededFuture();
        });
    }

    /** Takes offered duties; does nothing while an earlier poll is in progress. */
    void poll() {
        if (ended || !polling.isComplete() || !ownership.isLive()) {
            return;
        }
        long term = ownership.term();
        List<Offer> free = offers.stream().filter(offer -> offer.term == 0).toList();
        polling = InOrder.each(free, offer -> take(offer, term)).onFailure(cause -> {
            if (cause instanceof StoreUnavailableException) {
                LOG.debug("duties cannot be checked: {}", cause.getMessage());
            } else {
                LOG.error("duties cannot be checked", cause);
            }
        });
    }

    private Future<Void> take(Offer offer, long term) {
        return owners.takeDuty(offer.name, node, term)
                .compose(ours ->
                        ours && !ended && ownership.term() == term ? begin(offer, term) : Future.succeededFuture());
    }

    private Future<Void> begin(Offer offer, long term) {
        offer.term = term;
        LOG.info("this node has the duty {} now", offer.name);
        return home.bring(offer.duty.begin()).onFailure(refused -> offer.term = 0);
    }

    /** Drops all duties after the loss of the lease. */
    void drop() {
        for (Offer offer : offers) {
            if (offer.term != 0) {
                offer.term = 0;
                offer.duty.drop();
            }
        }
    }

    /** Ends and gives back all duties, and takes no more. Never fails. */
    Future<Void> end() {
        return home.call(() -> {
            ended = true;
            return polling.otherwiseEmpty()
                    .compose(still -> Future.join(offers.stream()
                            .filter(offer -> offer.term != 0)
                            .map(this::giveBack)
                            .toList()))
                    .<Void>mapEmpty()
                    .otherwiseEmpty();
        });
    }

    private Future<Void> giveBack(Offer offer) {
        long term = offer.term;
        return home.bring(offer.duty.end().timeout(END_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS))
                .otherwiseEmpty()
                .compose(still -> owners.releaseDuty(offer.name, node, term))
                .onFailure(cause ->
                        LOG.warn("this node keeps the duty {} until other nodes see that it has left", offer.name));
    }
}
