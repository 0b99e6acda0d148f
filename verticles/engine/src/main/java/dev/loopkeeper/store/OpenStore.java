package dev.loopkeeper.store;

import io.vertx.core.Future;

/** An open store; the code that opened it closes it. */
public interface OpenStore extends EventStore {
    /** Waits for appends in progress and releases the files. Later requests fail with {@link StoreException}. */
    Future<Void> close();
}
