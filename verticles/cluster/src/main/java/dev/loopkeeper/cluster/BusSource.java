package dev.loopkeeper.cluster;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;

/** Where a node's clustered Vert.x comes from. */
interface BusSource {
    /** Joins it. */
    Future<Vertx> join();

    /** Gives back what was joined. */
    Future<Void> leave(Vertx bus);

    /** That in which the engine itself is embedded; its owner ends it. */
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

    /** One of the node's own. */
    static BusSource own(Callable<Future<Vertx>> maker) {
        return new BusSource() {
            @Override
            public Future<Vertx> join() {
                Promise<Vertx> joined = Promise.promise();
                // Not on a thread of another Vert.x, which a new one would take for its own.
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
