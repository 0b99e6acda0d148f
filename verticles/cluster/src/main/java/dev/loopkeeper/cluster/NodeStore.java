package dev.loopkeeper.cluster;

import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.postgres.FolderMark;
import dev.loopkeeper.store.postgres.NodeRegistration;
import dev.loopkeeper.store.postgres.PostgresEventStore;
import dev.loopkeeper.store.postgres.PostgresOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Optional;

/** Opens the store of a node, before the node has a lease or a run. Any thread. */
final class NodeStore {
    private final PostgresOptions options;
    private final NodeRegistration registration;
    private volatile Optional<OpenStore> store = Optional.empty();
    private volatile String folder = "";

    NodeStore(PostgresOptions options, NodeRegistration registration) {
        this.options = options;
        this.registration = registration;
    }

    Future<OpenStore> open(Vertx opener, Path data) {
        return PostgresEventStore.openNode(opener, options, registration)
                .compose(opened -> opener.executeBlocking(() -> FolderMark.inPlace(data), false)
                        .map(mark -> {
                            folder = mark;
                            store = Optional.of(opened);
                            return opened;
                        })
                        .recover(refused -> opened.close().transform(closed -> Future.failedFuture(refused))));
    }

    /** Returns the open store. */
    OpenStore get() {
        return store.orElseThrow();
    }

    /** Returns the id of the data folder; empty before the store is open. */
    String folder() {
        return folder;
    }
}
