package dev.loopkeeper.cluster;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;

/** Supplies the clustered Vert.x of a node. */
interface BusSource {
    /** Joins the cluster. */
    Future<Vertx> join();

    /** Releases what {@link #join} returned. */
    Future<Void> leave(Vertx bus);

    /** Uses the Vert.x of the embedding program, which closes it. */
    static BusSource embedders(Vertx clustered) {
        return new BusSource() {
            @Override
            public Future<Vertx> join() {
                return Future.succeededFuture(clustered);
            }

            @Override
            public Future<Void> leave(Vertx bus) {
                return Future.succeededFuture();
            }
        };
    }

    /** Creates a Vert.x for the node alone and closes it. */
    static BusSource own(Callable<Future<Vertx>> maker) {
        return new BusSource() {
            @Override
            public Future<Vertx> join() {
                Promise<Vertx> joined = Promise.promise();
                // A new Vert.x would adopt the context of another Vert.x's thread, so this uses a plain thread.
                Thread joining = new Thread(() -> begin(maker, joined), "loopkeeper-bus");
                joining.setDaemon(true);
                joining.start();
                return joined.future();
            }

            private void begin(Callable<Future<Vertx>> joining, Promise<Vertx> joined) {
                try {
                    joining.call().onComplete(joined);
                } catch (Exception | LinkageError refused) {
                    joined.fail(refused);
                }
            }

            @Override
            public Future<Void> leave(Vertx bus) {
                return bus.close();
            }
        };
    }
}
