package dev.loopkeeper.store;

import io.vertx.core.Future;

/** A store that was opened in this process, to be closed by whoever opened it. */
public interface OpenStore extends EventStore {
    /** Waits for appends under way and lets go of the files. Every later question fails with {@link StoreException}. */
    Future<Void> close();
}
