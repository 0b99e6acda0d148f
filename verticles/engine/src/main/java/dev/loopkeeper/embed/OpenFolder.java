package dev.loopkeeper.embed;

import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.OwnerLock;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.nio.file.Path;

/** The data folder and its store while they are ours: whoever closes Vert.x without asking us gives them back too. */
final class OpenFolder extends VerticleBase {
    /** One SQLite file in the data folder. */
    static final StoreOpener EMBEDDED = SqliteEventStore::open;

    private final Vertx opener;
    private final OwnerLock lock;
    private final OpenStore store;

    private OpenFolder(Vertx opener, OwnerLock lock, OpenStore store) {
        this.opener = opener;
        this.lock = lock;
        this.store = store;
    }

    /** Takes the folder and opens its store; neither is left behind when that fails. */
    static Future<OpenFolder> open(Vertx vertx, Path path, StoreOpener store) {
        return vertx.executeBlocking(() -> new DataFolder(path).prepare().own(), false)
                .compose(lock -> store.open(vertx, path)
                        .map(opened -> new OpenFolder(vertx, lock, opened))
                        .recover(refused -> release(vertx, lock).transform(released -> Future.failedFuture(refused))));
    }

    OpenStore store() {
        return store;
    }

    @Override
    public Future<?> stop() {
        return store.close().eventually(() -> release(opener, lock));
    }

    private static Future<Void> release(Vertx vertx, OwnerLock lock) {
        return vertx.executeBlocking(
                () -> {
                    lock.close();
                    return null;
                },
                false);
    }
}
