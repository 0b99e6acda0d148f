package dev.loopkeeper.store;

import dev.loopkeeper.contract.RecordCodec;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

/** Serves the policy that a {@link PolicyKeeper} keeps, and the use of its pools and caps. */
public final class PolicyVerticle extends VerticleBase {
    private final PolicyKeeper keeper;
    private final boolean shared;

    /** @param shared whether other processes may change the policy of the store */
    public PolicyVerticle(PolicyKeeper keeper, boolean shared) {
        this.keeper = keeper;
        this.shared = shared;
    }

    @Override
    public Future<?> start() {
        RecordCodec.register(vertx);
        return keeper.begin(shared)
                .compose(read ->
                        StoreChannels.POLICY.serve(vertx.eventBus(), asked -> Future.succeededFuture(keeper.current())))
                .compose(serving -> StoreChannels.PUT_POLICY.serve(vertx.eventBus(), keeper::put))
                .compose(serving -> StoreChannels.POOLS.serve(vertx.eventBus(), asked -> keeper.pools()))
                .compose(serving -> StoreChannels.CLEAR_POOL.serve(vertx.eventBus(), keeper::clearPool))
                .compose(serving -> keeper.caps().begin());
    }

    @Override
    public Future<?> stop() {
        keeper.end();
        return Future.succeededFuture();
    }
}
