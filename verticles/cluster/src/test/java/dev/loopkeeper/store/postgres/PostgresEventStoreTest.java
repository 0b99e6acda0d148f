package dev.loopkeeper.store.postgres;

import dev.loopkeeper.store.EventStoreContract;
import dev.loopkeeper.store.OpenStore;
import io.vertx.core.Future;

/** The same contract as that of the embedded store. */
class PostgresEventStoreTest extends EventStoreContract {
    @Override
    protected Future<OpenStore> openEmpty() {
        return TestDatabase.open(vertx, TestDatabase.fresh().options());
    }
}
