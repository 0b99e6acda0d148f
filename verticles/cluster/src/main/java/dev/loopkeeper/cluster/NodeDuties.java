package dev.loopkeeper.cluster;

import dev.loopkeeper.store.Duties;
import dev.loopkeeper.store.StoreAwayException;
import dev.loopkeeper.store.postgres.RunOwners;
import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes duties that no live node has, and gives them up with the lease: whoever has one is as live as its node. On one
 * context.
 */
final class NodeDuties implements Duties {
    private static final Logger LOG = LoggerFactory.getLogger(NodeDuties.class);
    private static final Duration FAREWELL = Duration.ofSeconds(15);

    private final String node;
    private final HomeContext home;
    private final RunOwners owners;
    private final LeasedOwnership ownership;
    private final List<Offer> offers = new ArrayList<>();
    private Future<Void> looking = Future.succeededFuture();
    private boolean ended;

    private static final class Offer {
        private final String name;
        private final Duty duty;
        /** Under which lease it is held; 0: it is not. */
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

    /** Any thread; it is taken at a later look. */
    @Override
    public Future<Void> offer(String name, Duty duty) {
        return home.call(() -> {
            offers.add(new Offer(name, duty));
            return Future.succeededFuture();
        });
    }

    /** Once; a look that is under way is enough. */
    void look() {
        if (ended || !looking.isComplete() || !ownership.isLive()) {
            return;
        }
        long term = ownership.term();
        Future<Void> all = Future.succeededFuture();
        for (Offer offer : offers) {
            if (offer.term == 0) {
                all = all.compose(before -> take(offer, term));
            }
        }
        looking = all.onFailure(cause -> {
            if (cause instanceof StoreAwayException) {
                LOG.debug("duties cannot be looked at: {}", cause.getMessage());
            } else {
                LOG.error("duties cannot be looked at", cause);
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
        LOG.info("{} are this node's duty now", offer.name);
        return home.bring(offer.duty.begin()).onFailure(refused -> offer.term = 0);
    }

    /** The lease is lost: what is held is another's, or will be. */
    void drop() {
        for (Offer offer : offers) {
            if (offer.term != 0) {
                offer.term = 0;
                offer.duty.drop();
            }
        }
    }

    /** Takes none any more, brings those that are held to their end and gives them back. Never fails. */
    Future<Void> end() {
        return home.call(() -> {
            ended = true;
            return looking.otherwiseEmpty()
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
        return home.bring(offer.duty.end().timeout(FAREWELL.toMillis(), TimeUnit.MILLISECONDS))
                .otherwiseEmpty()
                .compose(still -> owners.releaseDuty(offer.name, node, term))
                .onFailure(cause -> LOG.warn("{} stay this node's duty until it is known to have left", offer.name));
    }
}
