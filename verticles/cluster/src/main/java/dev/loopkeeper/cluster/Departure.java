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
 * How a node leaves: it lets go of the runs that rest and of its lease. What has an open step stays its own, for the next
 * runtime or until the lease is over.
 */
final class Departure {
    private final String node;
    private final RunOwners owners;
    private final Supplier<? extends EventStore> store;
    private volatile Optional<Promise<Void>> begun = Optional.empty();

    /** @param owners asked on the context of {@link #letGo} */
    Departure(String node, RunOwners owners, Supplier<? extends EventStore> store) {
        this.node = node;
        this.owners = owners;
        this.store = store;
    }

    /** Completes when it has left. Any thread. */
    Future<Void> begin() {
        Promise<Void> left = Promise.promise();
        begun = Optional.of(left);
        return left.future();
    }

    /** There was nothing to let go of. */
    void left() {
        begun.ifPresent(Promise::tryComplete);
    }

    void letGo(long incarnation) {
        owners.owned(node)
                .compose(owned -> release(owned.stream().map(OwnedRun::runId).toList(), incarnation))
                .compose(given -> owners.leave(node, incarnation))
                .<Void>mapEmpty()
                .onComplete(begun.orElseGet(Promise::promise));
    }

    private Future<Void> release(List<String> ids, long incarnation) {
        List<Future<Boolean>> resting = ids.stream().map(this::rests).toList();
        return Future.join(resting).transform(all -> {
            List<String> free = IntStream.range(0, ids.size())
                    .filter(index -> resting.get(index).result())
                    .mapToObj(ids::get)
                    .toList();
            return free.isEmpty() ? Future.succeededFuture() : owners.release(free, node, incarnation);
        });
    }

    private Future<Boolean> rests(String runId) {
        return store.get()
                .load(runId)
                .map(run -> run.map(StoredRun::state).filter(Departure::rests).isPresent())
                .otherwise(false);
    }

    private static boolean rests(RunState state) {
        return state.steps().isEmpty();
    }
}
