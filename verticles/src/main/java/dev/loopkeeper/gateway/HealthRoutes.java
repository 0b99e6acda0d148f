package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.Json;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Probes: alive, and ready to take work (the store can be used, nothing is being shut down). */
final class HealthRoutes {
    private final GatewayPorts ports;
    private final Duration patience;

    HealthRoutes(GatewayPorts ports, Duration patience) {
        this.ports = ports;
        this.patience = patience;
    }

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.get("/health/live", this::live).open().bare(),
                Endpoint.get("/health/ready", this::ready).open().bare());
    }

    private Future<Answer> live(RoutingContext context) {
        return Future.succeededFuture(Answer.ok(status("live")));
    }

    private Future<Answer> ready(RoutingContext context) {
        if (ports.draining().getAsBoolean()) {
            return Future.failedFuture(new Problem(503, "draining", "the server is about to end"));
        }
        return ports.store()
                .ready()
                .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .map(usable -> Answer.ok(status("ready")))
                .recover(cause ->
                        Future.failedFuture(new Problem(503, "store-unavailable", "the event store cannot be used")));
    }

    private static JsonNode status(String word) {
        return Json.MAPPER.createObjectNode().put("status", word);
    }
}
