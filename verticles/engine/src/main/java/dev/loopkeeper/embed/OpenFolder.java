package dev.loopkeeper.embed;

import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.OwnerLock;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Owns the data folder, its store and this Vert.x for one Loopkeeper. It is deployed before it opens them, so that
 * closing Vert.x at any moment releases them too.
 */
final class OpenFolder extends VerticleBase {
    /** Opens one SQLite file in the data folder. */
    static final StoreOpener EMBEDDED = SqliteEventStore::open;

    private static final String OWNER = "data-folder";

    private final Path path;
    private final StoreOpener opener;
    private final Supplier<Future<Void>> beforeStop;
    private final Promise<Void> ended = Promise.promise();
    private Future<OpenStore> opening = Future.failedFuture(new LoopkeeperClosedException());
    private OwnerLock lock;

    /** @param beforeStop stops what uses the store, then calls {@link #giveBack}; called when this is undeployed */
    OpenFolder(Path path, StoreOpener opener, Supplier<Future<Void>> beforeStop) {
        this.path = path;
        this.opener = opener;
        this.beforeStop = beforeStop;
    }

    /**
     * Locks the folder and opens its store; releases both when that fails. Call after this is deployed. Also fails with
     * {@link VertxInUseException}, since two Loopkeepers on one event bus would answer each other's requests.
     */
    Future<OpenStore> open() {
        return new HomeContext(context).call(this::begin);
    }

    private synchronized Future<OpenStore> begin() {
        if (ended.future().isComplete()) {
            return Future.failedFuture(new LoopkeeperClosedException());
        }
        opening = claim().compose(claimed -> take().onFailure(refused -> disclaim()));
        return opening;
    }

    /** Whether the folder, the store and this Vert.x are owned and ready for runs. */
    boolean isOpen() {
        return begun().succeeded();
    }

    /** Completes when the release begins. */
    Future<Void> ended() {
        return ended.future();
    }

    private Future<Void> claim() {
        String owner = owners(vertx).putIfAbsent(OWNER, path.toString());
        return owner == null ? Future.succeededFuture() : Future.failedFuture(new VertxInUseException(Path.of(owner)));
    }

    private void disclaim() {
        owners(vertx).remove(OWNER);
    }

    private static LocalMap<String, String> owners(Vertx vertx) {
        return vertx.sharedData().getLocalMap("loopkeeper");
    }

    private Future<OpenStore> take() {
        return vertx.executeBlocking(() -> new DataFolder(path).prepare().own(), false)
                .compose(taken -> {
                    lock = taken;
                    return opener.open(vertx, path);
                })
                .recover(refused -> release().transform(released -> Future.failedFuture(refused)));
    }

    @Override
    public Future<?> stop() {
        return beforeStop.get();
    }

    /** Closes the store and releases the folder; has no effect where it was not opened. Call once. */
    Future<Void> giveBack() {
        ended.tryComplete();
        return begun().transform(opened -> opened.succeeded() ? giveBack(opened.result()) : nothing());
    }

    private synchronized Future<OpenStore> begun() {
        return opening;
    }

    private Future<Void> giveBack(OpenStore store) {
        return store.close().eventually(this::release).onComplete(released -> disclaim());
    }

    private static Future<Void> nothing() {
        return Future.succeededFuture();
    }

    private Future<Void> release() {
        OwnerLock held = lock;
        return held == null
                ? nothing()
                : vertx.executeBlocking(
                        () -> {
                            held.close();
                            return null;
                        },
                        false);
    }
}
