package dev.loopkeeper.cli.session;

import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.GatewayOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;

/** Port: makes this process the owner of a data folder, which continues its open runs. */
@FunctionalInterface
public interface RootStarter {
    /**
     * Fails with {@code DataFolderInUseException}, {@code DataFolderException}, {@code StoreException} or {@code CannotServeException}, and has
     * changed nothing then.
     */
    Future<Root> start(Vertx vertx, LoopkeeperOptions options, GatewayOptions serving);

    /** How long that may take: a node of a cluster waits for a silent one of its name as long as that one's lease may be, which is minutes. */
    default Duration limit() {
        return Duration.ofMinutes(15);
    }

    /** How long another owner of the data folder may take to serve an address, or to end. */
    default Duration forOwner() {
        return Session.FOR_OWNER;
    }

    /** The owner of a data folder, in this process. */
    interface Root {
        /** Where its gateway listens. */
        Optional<String> url();

        /** Stops one run as interrupted; completes when that is durable and its processes are gone. */
        Future<Void> interrupt(String runId);

        /** Skips the grace of the agents that are being ended, and of those that will be. */
        Future<Void> hurry();

        /** Drains: agents that may live on do. Gives the folder free. */
        Future<Void> close();
    }
}
