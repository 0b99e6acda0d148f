package dev.loopkeeper.store;

import dev.loopkeeper.pool.PoolInput;
import dev.loopkeeper.pool.PoolState;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Port: the durable claims and cool-downs of pools, shared by all processes of a store. Fails as {@link EventStore} does. */
public interface PoolStore {
    /** Returns the pools in use by name. */
    Future<Map<String, PoolState>> pools();

    /**
     * Applies these inputs in one transaction and returns the new state. Removes before them the claims of runs whose
     * agents are certainly gone, because the run has ended or its node is fenced. Only a live node may do that; any
     * other gets {@link StoreUnavailableException}.
     *
     * @param places see {@link PoolState#after}
     */
    Future<PoolState> changePool(String name, List<PoolInput> inputs, OptionalInt places);
}
