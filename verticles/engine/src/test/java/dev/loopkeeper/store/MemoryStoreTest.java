package dev.loopkeeper.store;

import io.vertx.core.Future;

/** The store that other tests use in place of the real one keeps the same contract. */
class MemoryStoreTest extends EventStoreContract {
    @Override
    protected Future<OpenStore> openEmpty() {
        return Future.succeededFuture(new MemoryStore(vertx));
    }
}
