package dev.loopkeeper.cluster;

import dev.loopkeeper.ownership.BootTime;
import dev.loopkeeper.ownership.DuplicateNodeWatch;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.postgres.DatabaseFacts;
import dev.loopkeeper.store.postgres.FolderMark;
import dev.loopkeeper.store.postgres.RunOwners;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Refuses a start before it changes anything: no table is migrated and no file created. The start itself repeats the
 * checks.
 */
record StartCheck(Vertx vertx, ClusterOptions options, SharedRoots roots, RunOwners owners, Path dataFolder) {
    /** Fails with {@link StoreException}, also if the database does not answer. */
    Future<Void> check() {
        return DatabaseFacts.inspect(vertx, options.store())
                .compose(facts -> require(DatabaseChecks.of(facts, options.store()))
                        .compose(fit -> facts.hasNodes()
                                ? checkJoin()
                                : roots.checkBeforeFirstNode(vertx).compose(StartCheck::require)));
    }

    private Future<Void> checkJoin() {
        return vertx.executeBlocking(() -> FolderMark.known(dataFolder), false)
                .compose(mark -> watch(mark, DuplicateNodeWatch.NOTHING))
                .compose(alone -> roots.check(vertx, owners))
                .compose(StartCheck::require);
    }

    private static Future<Void> require(List<NodeCheck> checks) {
        return checks.stream()
                .filter(check -> check.needed() && !check.holds())
                .findFirst()
                .<Future<Void>>map(unmet -> Future.failedFuture(new StoreException(unmet.found(), null)))
                .orElseGet(Future::succeededFuture);
    }

    /** Observes another live node of this name until its beat changes or it was silent for its lease. */
    private Future<Void> watch(Optional<String> mark, DuplicateNodeWatch before) {
        return owners.nodes().compose(look -> {
            Optional<RunOwners.NodeRow> other = look.nodes().stream()
                    .filter(node -> node.facts().node().equals(options.node()) && node.isLive())
                    .filter(node -> !mark.equals(Optional.of(node.facts().folder())))
                    .findFirst();
            if (other.isEmpty()) {
                return Future.succeededFuture();
            }
            BootTime at = BootClock.now();
            DuplicateNodeWatch seen =
                    before.look(at, look.session(), other.get().asBeat());
            if (seen.isAtWork()) {
                String url = other.get().facts().url();
                return Future.failedFuture(new StoreException(LeaseLoop.duplicate(options.node(), url), null));
            }
            return seen.isSilent(at)
                    ? Future.succeededFuture()
                    : vertx.timer(LeaseTerms.RETRY.toMillis()).compose(due -> watch(mark, seen));
        });
    }
}
