package dev.loopkeeper.cluster;

import dev.loopkeeper.store.SharedSignalFiles;
import dev.loopkeeper.store.postgres.RunOwners;
import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Takes signal files below the shared roots in the database; all others are seen by this node only. Any thread. */
final class NodeSignalFiles implements SharedSignalFiles {
    private final String node;
    private final SharedRoots roots;
    private final LeasedOwnership ownership;
    private final HomeContext home;
    private final RunOwners owners;

    NodeSignalFiles(String node, SharedRoots roots, LeasedOwnership ownership, HomeContext home, RunOwners owners) {
        this.node = node;
        this.roots = roots;
        this.ownership = ownership;
        this.home = home;
        this.owners = owners;
    }

    @Override
    public Future<Map<String, String>> take(String runId, long sequence, Set<String> identities) {
        Map<String, String> identityOf = new HashMap<>();
        identities.forEach(
                identity -> roots.sharedNames(Path.of(identity)).forEach(name -> identityOf.put(name, identity)));
        if (identityOf.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        long incarnation = ownership.term();
        return home.ask(() -> owners.takeSignalFiles(runId, sequence, identityOf.keySet(), node, incarnation))
                .map(others -> {
                    Map<String, String> holders = new HashMap<>();
                    others.forEach((name, other) -> holders.put(identityOf.get(name), other));
                    return holders;
                });
    }

    @Override
    public boolean isShared(Path file) {
        return !roots.sharedNames(file).isEmpty();
    }

    @Override
    public Future<Void> release(String runId) {
        long incarnation = ownership.term();
        return home.ask(() -> owners.releaseSignalFiles(runId, node, incarnation));
    }
}
