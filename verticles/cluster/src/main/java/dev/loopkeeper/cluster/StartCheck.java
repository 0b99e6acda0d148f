package dev.loopkeeper.cluster;

import dev.loopkeeper.ownership.BootTime;
import dev.loopkeeper.ownership.DuplicateNodeWatch;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.postgres.DatabaseFacts;
import dev.loopkeeper.store.postgres.PostgresEventStore;
import dev.loopkeeper.store.postgres.RunOwners;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Refuses a start before anything is made or changed by it: no table is brought up, no file is made. What becomes so
 * between this look and the start itself is refused by that.
 */
final class StartCheck {
    private final Vertx vertx;
    private final ClusterOptions options;
    private final SharedRoots roots;
    private final RunOwners owners;
    private final Path dataFolder;

    StartCheck(Vertx vertx, ClusterOptions options, SharedRoots roots, RunOwners owners, Path dataFolder) {
        this.vertx = vertx;
        this.options = options;
        this.roots = roots;
        this.owners = owners;
        this.dataFolder = dataFolder;
    }

    /** Fails with {@link StoreException}, also where the database does not answer. */
    Future<Void> look() {
        return DatabaseFacts.look(vertx, options.store())
                .compose(facts -> demand(DatabaseChecks.of(facts, options.store()))
                        .compose(fit -> facts.hasNodes()
                                ? beside()
                                : roots.lookFirst(vertx).compose(StartCheck::demand)));
    }

    private Future<Void> beside() {
        return vertx.executeBlocking(() -> PostgresEventStore.knownFolderMark(dataFolder), false)
                .compose(mark -> watch(mark, DuplicateNodeWatch.NOTHING))
                .compose(alone -> roots.look(vertx, owners))
                .compose(StartCheck::demand);
    }

    private static Future<Void> demand(List<NodeCheck> checks) {
        return checks.stream()
                .filter(check -> check.needed() && !check.holds())
                .findFirst()
                .<Future<Void>>map(lacking -> Future.failedFuture(new StoreException(lacking.found(), null)))
                .orElseGet(Future::succeededFuture);
    }

    /** Until the other one of this name, if there is one, has shown whether it is at work. */
    private Future<Void> watch(Optional<String> mark, DuplicateNodeWatch before) {
        return owners.look().compose(look -> {
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
                return Future.failedFuture(new StoreException(LeaseLoop.namesake(options.node(), url), null));
            }
            return seen.isSilent(at)
                    ? Future.succeededFuture()
                    : vertx.timer(LeaseTerms.RETRY.toMillis()).compose(due -> watch(mark, seen));
        });
    }
}
