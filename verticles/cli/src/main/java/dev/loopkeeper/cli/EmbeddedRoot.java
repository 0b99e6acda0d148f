package dev.loopkeeper.cli;

import dev.loopkeeper.cli.session.RootStarter;
import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.Gateway;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.opentelemetry.OpenTelemetryTracing;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;

/** Starts Loopkeeper and its gateway inside this process. */
record EmbeddedRoot(Loopkeeper keeper, Gateway gateway) implements RootStarter.Root {
    /** A class and not a method reference: with a method reference Java would load Vert.x in every command. */
    static final class Starter implements RootStarter {
        @Override
        public Future<RootStarter.Root> start(Vertx vertx, LoopkeeperOptions options, GatewayOptions serving) {
            return EmbeddedRoot.start(vertx, options, serving);
        }
    }

    static Future<RootStarter.Root> start(Vertx vertx, LoopkeeperOptions options, GatewayOptions serving) {
        Gateway gateway = new Gateway(serving);
        return Loopkeeper.start(vertx, traced(options.with(gateway))).map(keeper -> new EmbeddedRoot(keeper, gateway));
    }

    /** Without the variable no class of OpenTelemetry is loaded. */
    private static LoopkeeperOptions traced(LoopkeeperOptions options) {
        String endpoint = System.getenv(OpenTelemetryTracing.ENDPOINT);
        return endpoint == null || endpoint.isBlank() ? options : options.with(new OpenTelemetryTracing());
    }

    @Override
    public Optional<String> url() {
        return gateway.url();
    }

    @Override
    public Future<Void> interrupt(String runId, String why) {
        return keeper.interrupt(runId, why);
    }

    @Override
    public Future<Void> skipGrace() {
        return keeper.skipGrace();
    }

    @Override
    public Future<Void> close() {
        return keeper.close();
    }
}
