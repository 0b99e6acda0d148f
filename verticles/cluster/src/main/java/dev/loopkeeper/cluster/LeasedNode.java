package dev.loopkeeper.cluster;

import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.postgres.RunOwners;
import dev.loopkeeper.store.postgres.RunOwners.OwnedRun;
import dev.loopkeeper.store.postgres.RunOwners.Owner;
import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Answers the router which runs this node owns, and claims runs on demand. */
final class LeasedNode implements RunRouter.LocalNode {
    private final String node;
    private final Set<String> roots;
    private final LeasedOwnership ownership;
    private final Supplier<? extends EventStore> store;
    private final HomeContext home;
    private final RunOwners owners;
    private final RunClaims claims;
    private final NodeRuns runs;

    /** @param home that of {@code owners}, {@code claims} and {@code runs} */
    LeasedNode(
            ClusterOptions options,
            Set<String> roots,
            LeasedOwnership ownership,
            Supplier<? extends EventStore> store,
            HomeContext home,
            RunOwners owners,
            RunClaims claims,
            NodeRuns runs) {
        this.node = options.node();
        this.roots = roots;
        this.ownership = ownership;
        this.store = store;
        this.home = home;
        this.owners = owners;
        this.claims = claims;
        this.runs = runs;
    }

    @Override
    public String node() {
        return node;
    }

    @Override
    public boolean isLive() {
        return ownership.isLive();
    }

    @Override
    public boolean isOwn(String runId) {
        return ownership.isOwn(runId);
    }

    @Override
    public Future<Boolean> isLost(String name) {
        return home.call(owners::nodes)
                .map(look -> look.nodes().stream()
                        .filter(row -> row.facts().node().equals(name))
                        .noneMatch(RunOwners.NodeRow::beats));
    }

    @Override
    public Future<Boolean> hasOwner(String runId) {
        return home.call(() -> owners.owner(runId))
                .map(found -> found.flatMap(Owner::node).isPresent());
    }

    @Override
    public Future<Boolean> takeNow(String runId) {
        return store.get()
                .find(runId)
                .compose(row -> row.isEmpty()
                        ? Future.succeededFuture(false)
                        : home.call(() -> takeNow(
                                runId, RunStatus.ENDED.contains(row.get().status()))));
    }

    private Future<Boolean> takeNow(String runId, boolean ended) {
        long term = ownership.term();
        return owners.owner(runId).compose(found -> {
            if (found.isEmpty() || !ownership.isLive()) {
                return Future.succeededFuture(false);
            }
            Owner owner = found.get();
            if (owner.node().equals(Optional.of(node))) {
                OwnedRun mine = new OwnedRun(runId, owner.epoch());
                return Future.succeededFuture(ended ? ownership.take(List.of(mine), term) : ownership.isOwn(runId));
            }
            return owner.placement()
                            .filter(placement -> placement.hosts(node, roots))
                            .isPresent()
                    ? claim(runId, ended, term)
                    : Future.succeededFuture(false);
        });
    }

    /** Claims a run; an ended run is only owned, not continued. */
    private Future<Boolean> claim(String runId, boolean ended, long term) {
        return claims.take(List.of(runId), term).compose(claimed -> {
            if (claimed.isEmpty()) {
                return Future.succeededFuture(false);
            }
            Future<?> taken =
                    ended ? Future.succeededFuture(ownership.take(claimed, term)) : runs.resume(claimed, term);
            return taken.map(ours -> ownership.isOwn(runId));
        });
    }
}
