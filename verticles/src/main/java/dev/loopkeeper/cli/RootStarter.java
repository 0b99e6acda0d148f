package dev.loopkeeper.cli;

import dev.loopkeeper.gateway.GatewayOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/** Port: makes this process the owner of a data folder, which continues its open runs. */
@FunctionalInterface
interface RootStarter {
    /**
     * Fails with {@code DataFolderInUseException}, {@code StoreException} or {@code CannotServeException}, and has
     * changed nothing then.
     *
     * @param maxRuns how many runs go on at once; absent: no limit
     */
    Future<Root> start(Vertx vertx, Path dataFolder, GatewayOptions gateway, OptionalInt maxRuns);

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
