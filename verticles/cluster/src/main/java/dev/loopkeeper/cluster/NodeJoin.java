package dev.loopkeeper.cluster;

import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.postgres.RunOwners;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** How a node joins the cluster: it waits for its first lease. Any thread. */
final class NodeJoin {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String node;
    private final LeaseTerms terms;
    private final Promise<Void> joined = Promise.promise();

    NodeJoin(String node, LeaseTerms terms) {
        this.node = node;
        this.terms = terms;
    }

    /** It has its lease, perhaps not for the first time. */
    void granted() {
        joined.tryComplete();
    }

    void refused(String reason) {
        joined.tryFail(new StoreException(reason, null));
    }

    /** Fails with {@link StoreException} when it is refused, or not let in for longer than that may take. */
    Future<Void> await(RunOwners.Look beside) {
        return within(patience(beside));
    }

    Future<Void> within(Duration patience) {
        return joined.future()
                .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .recover(cause -> Future.failedFuture(cause instanceof TimeoutException ? late(patience) : cause));
    }

    private StoreException late(Duration patience) {
        return new StoreException(
                "node " + node + " got no lease within " + patience.toSeconds()
                        + " s; its log says why. Look whether the"
                        + " database answers and the data folder can be written, and start it again.",
                null);
    }

    /** Another folder with this node's name is waited for as long as its own lease is. */
    private Duration patience(RunOwners.Look beside) {
        return beside.nodes().stream()
                .map(RunOwners.NodeRow::facts)
                .filter(facts -> facts.node().equals(node))
                .map(facts -> facts.terms().lease())
                .reduce(terms.lease(), (one, other) -> one.compareTo(other) < 0 ? other : one)
                .multipliedBy(2)
                .plus(PATIENCE);
    }
}
