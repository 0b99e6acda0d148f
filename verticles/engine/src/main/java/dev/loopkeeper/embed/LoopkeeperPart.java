package dev.loopkeeper.embed;

import dev.loopkeeper.store.EventStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Starts and stops together with a {@link Loopkeeper}, e.g. the HTTP gateway. One object serves one start. */
public interface LoopkeeperPart {
    /**
     * The services that a part receives from its Loopkeeper.
     *
     * @param store read for history, replay and snapshots; never written
     * @param draining whether new work is refused because the shutdown has begun
     * @param maxRuns how many runs may be active at once; 0 = no limit
     * @param isOwn whether this node owns the run with this id, as far as known; called from any thread
     */
    record Host(
            Vertx vertx,
            EventStore store,
            Path dataFolder,
            BooleanSupplier draining,
            int maxRuns,
            Predicate<String> isOwn) {}

    /**
     * Checks whether the part can start, before the data folder is touched, so that a refused start changes nothing.
     * Default: it can.
     */
    default Future<Void> check(Vertx vertx) {
        return Future.succeededFuture();
    }

    /** Prepares the part before any run is recovered, so that its listeners miss nothing. */
    Future<Void> prepare(Host host);

    /** Starts the part last, after the open runs of an earlier runtime were recovered. Default: nothing is left to do. */
    default Future<Void> start(Host host) {
        return Future.succeededFuture();
    }

    /** Undoes what was prepared and started so far; has no effect the second time. */
    Future<Void> stop();
}
