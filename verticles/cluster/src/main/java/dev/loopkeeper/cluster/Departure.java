package dev.loopkeeper.cluster;

import dev.loopkeeper.run.RunState;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.StoredRun;
import dev.loopkeeper.store.postgres.RunOwners;
import dev.loopkeeper.store.postgres.RunOwners.OwnedRun;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Releases a leaving node's runs and its lease. A run with an open step stays owned, for the node's next runtime or
 * until the lease ends.
 */
final class Departure {
    private final String node;
    private final RunOwners owners;
    private final Supplier<? extends EventStore> store;
    private volatile Optional<Promise<Void>> begun = Optional.empty();

    /** @param owners used on the context of {@link #release} */
    Departure(String node, RunOwners owners, Supplier<? extends EventStore> store) {
        this.node = node;
        this.owners = owners;
        this.store = store;
    }

    /** Completes when the node has left. Any thread. */
    Future<Void> begin() {
        Promise<Void> left = Promise.promise();
        begun = Optional.of(left);
        return left.future();
    }

    /** Called if the node has no lease to release. */
    void left() {
        begun.ifPresent(Promise::tryComplete);
    }

    void release(long incarnation) {
        owners.owned(node)
                .compose(owned -> release(owned.stream().map(OwnedRun::runId).toList(), incarnation))
                .compose(released -> owners.leave(node, incarnation))
                .<Void>mapEmpty()
                .onComplete(begun.orElseGet(Promise::promise));
    }

    private Future<Void> release(List<String> ids, long incarnation) {
        List<Future<Boolean>> idle = ids.stream().map(this::isIdle).toList();
        return Future.join(idle).transform(all -> {
            List<String> free = IntStream.range(0, ids.size())
                    .filter(index -> idle.get(index).result())
                    .mapToObj(ids::get)
                    .toList();
            return free.isEmpty() ? Future.succeededFuture() : owners.release(free, node, incarnation);
        });
    }

    private Future<Boolean> isIdle(String runId) {
        return store.get()
                .load(runId)
                .map(run -> run.map(StoredRun::state).filter(Departure::isIdle).isPresent())
                .otherwise(false);
    }

    private static boolean isIdle(RunState state) {
        return state.steps().isEmpty();
    }
}
