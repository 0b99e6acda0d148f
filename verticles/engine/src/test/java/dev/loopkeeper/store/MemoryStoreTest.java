package dev.loopkeeper.store;

import io.vertx.core.Future;

/** What tests of other rooms use instead of the real store is one. */
class MemoryStoreTest extends EventStoreContract {
    @Override
    protected Future<OpenStore> openEmpty() {
        return Future.succeededFuture(new MemoryStore(vertx));
    }
}
