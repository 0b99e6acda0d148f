package dev.loopkeeper.embed;

import dev.loopkeeper.store.EventStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Something that is started and ended together with a {@link Loopkeeper} and uses what it is made of, e.g. the HTTP
 * gateway. One object serves one start.
 */
public interface LoopkeeperPart {
    /**
     * What a part is given.
     *
     * @param store read for history, replay and snapshots; never written
     * @param draining whether new work is refused because the end has begun
     * @param maxRuns how many runs may be under way at once; 0 = no limit
     * @param isOwn whether a run is carried out here, by its id, as far as is known; asked from any thread
     */
    record Host(
            Vertx vertx,
            EventStore store,
            Path dataFolder,
            BooleanSupplier draining,
            int maxRuns,
            Predicate<String> isOwn) {}

    /** Fails when it could not start: asked before the data folder is touched, so that a refused start leaves nothing. */
    Future<Void> check(Vertx vertx);

    /** Comes before any run is taken up: what has to hear of that begins to listen. */
    Future<Void> prepare(Host host);

    /** Comes last, when the open runs of an earlier runtime are taken up. */
    Future<Void> start(Host host);

    /** Undoes what was prepared and started, as far as it came; nothing where that is done already. */
    Future<Void> stop();
}
