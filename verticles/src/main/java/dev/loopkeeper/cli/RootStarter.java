package dev.loopkeeper.cli;

import dev.loopkeeper.gateway.GatewayOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Optional;

/** Port: makes this process the owner of a data folder, which continues its open runs. */
@FunctionalInterface
interface RootStarter {
    /**
     * Fails with {@code DataFolderInUseException}, {@code StoreException} or {@code CannotServeException}, and has
     * changed nothing then.
     */
    Future<Root> start(Vertx vertx, Path dataFolder, GatewayOptions gateway, ServeLimits limits);

    /** The owner of a data folder, in this process. */
    interface Root {
        /** Where its gateway listens. */
        Optional<String> url();

        /** Stops one run as interrupted; completes when that is durable and its processes are gone. */
        Future<Void> interrupt(String runId);

        /** Drains: agents that may live on do. Gives the folder free. */
        Future<Void> close();
    }
}
