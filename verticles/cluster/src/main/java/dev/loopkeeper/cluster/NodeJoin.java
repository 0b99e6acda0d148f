package dev.loopkeeper.cluster;

import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.postgres.RunOwners;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for a node's first lease. Any thread. */
final class NodeJoin {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String node;
    private final LeaseTerms terms;
    private final Promise<Void> joined = Promise.promise();

    NodeJoin(String node, LeaseTerms terms) {
        this.node = node;
        this.terms = terms;
    }

    /** Called whenever the node gets a lease. */
    void granted() {
        joined.tryComplete();
    }

    void refused(String reason) {
        joined.tryFail(new StoreException(reason, null));
    }

    /** Fails with {@link StoreException} if the join is refused or takes too long. */
    Future<Void> await(RunOwners.NodeSnapshot others) {
        return within(patience(others));
    }

    Future<Void> within(Duration patience) {
        return joined.future()
                .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .recover(cause -> Future.failedFuture(cause instanceof TimeoutException ? late(patience) : cause));
    }

    private StoreException late(Duration patience) {
        return new StoreException(
                "node " + node + " got no lease within " + patience.toSeconds()
                        + " s; the cause is in its log. Check that the"
                        + " database answers and the data folder can be written, then restart the node.",
                null);
    }

    /** The node may have to wait for the lease of another folder with its name. */
    private Duration patience(RunOwners.NodeSnapshot others) {
        return others.nodes().stream()
                .map(RunOwners.NodeRow::facts)
                .filter(facts -> facts.node().equals(node))
                .map(facts -> facts.terms().lease())
                .reduce(terms.lease(), (one, other) -> one.compareTo(other) < 0 ? other : one)
                .multipliedBy(2)
                .plus(PATIENCE);
    }
}
