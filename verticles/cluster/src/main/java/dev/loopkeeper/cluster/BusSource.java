package dev.loopkeeper.cluster;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Supplies the clustered Vert.x of a node.
 *
 * @param join joins the cluster
 * @param leave releases what {@code join} returned
 */
record BusSource(Supplier<Future<Vertx>> join, Function<Vertx, Future<Void>> leave) {
    /** Uses the Vert.x of the embedding program, which closes it. */
    static BusSource embedders(Vertx clustered) {
        return new BusSource(() -> Future.succeededFuture(clustered), bus -> Future.succeededFuture());
    }

    /** Creates a Vert.x for the node alone and closes it. */
    static BusSource own(Callable<Future<Vertx>> maker) {
        return new BusSource(() -> joined(maker), Vertx::close);
    }

    private static Future<Vertx> joined(Callable<Future<Vertx>> maker) {
        Promise<Vertx> joined = Promise.promise();
        // A new Vert.x would adopt the context of another Vert.x's thread, so this uses a plain thread.
        Thread joining = new Thread(() -> begin(maker, joined), "loopkeeper-bus");
        joining.setDaemon(true);
        joining.start();
        return joined.future();
    }

    private static void begin(Callable<Future<Vertx>> maker, Promise<Vertx> joined) {
        try {
            maker.call().onComplete(joined);
        } catch (Exception | LinkageError refused) {
            joined.fail(refused);
        }
    }
}
