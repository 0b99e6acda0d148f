package dev.loopkeeper.cli.session;

import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.access.GatewayOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;

/** Port: makes this process the owner of a data folder, which continues its open runs. */
@FunctionalInterface
public interface RootStarter {
    /**
     * Starts Loopkeeper. Fails with {@code DataFolderInUseException}, {@code DataFolderException},
     * {@code StoreException} or {@code CannotServeException}; a failed start changes nothing.
     */
    Future<Root> start(Vertx vertx, LoopkeeperOptions options, GatewayOptions serving);

    /**
     * Returns how long the start may take. A node of a cluster waits until the lease of a silent node with its name
     * expires, which can take minutes.
     */
    default Duration limit() {
        return Duration.ofMinutes(15);
    }

    /** Loopkeeper in this process, as the owner of a data folder. */
    interface Root {
        /** Returns the URL of its gateway. */
        Optional<String> url();

        /** Stops one run as interrupted for this reason; completes when that is durable and its processes are gone. */
        Future<Void> interrupt(String runId, String why);

        /** Skips the grace of agents that are being stopped now or later. */
        Future<Void> skipGrace();

        /** Drains and releases the folder; detached agents keep running. */
        Future<Void> close();
    }
}
