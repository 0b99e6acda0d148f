package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.data.WriteProbe;
import dev.loopkeeper.gateway.http.Answer;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.work.Causes;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Serves the liveness and readiness probes. The server is ready if store and disk are usable, it is not stopping, and, as
 * a cluster node, it has its lease.
 */
record HealthRoutes(Vertx vertx, GatewayPorts ports, WriteProbe disk, Duration patience, ClusterClient cluster) {
    static final String READY = "/health/ready";
    /** Least free disk space, in bytes: with less hardly a run can be created. */
    static final int LEAST_DISK_BYTES = 1 << 20;

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.get("/health/live", this::live).open().bare(),
                Endpoint.get(READY, this::ready).open().bare());
    }

    private Future<Answer> live(RoutingContext context) {
        return Future.succeededFuture(Answer.ok(status("live")));
    }

    private Future<Answer> ready(RoutingContext context) {
        if (ports.draining().getAsBoolean()) {
            return Future.failedFuture(new Problem(RefusalCode.DRAINING, "the server is stopping"));
        }
        return cluster.isLive()
                .compose(live -> live ? ports.store().ready() : Future.failedFuture(notLive()))
                .compose(usable -> vertx.<Void>executeBlocking(disk::write, false))
                .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .map(written -> Answer.ok(status("ready")))
                .recover(cause -> Future.failedFuture(notReady(cause)));
    }

    private static Problem notLive() {
        return new Problem(
                RefusalCode.NODE_NOT_LIVE,
                "this node has no lease at the moment and executes no runs; it resumes automatically when it can reach the"
                        + " database and write to its data folder; the cause is in the log of the node");
    }

    private static Problem notReady(Throwable cause) {
        if (cause instanceof Problem known) {
            return known;
        }
        if (cause instanceof StoreUnavailableException) {
            return Problem.storeUnavailable();
        }
        String why = reason(cause).map(reason -> " (" + reason + ")").orElse("");
        return new Problem(
                RefusalCode.STORE_UNAVAILABLE,
                "the data folder cannot be read and written" + why + "; see the server's log");
    }

    /** Returns the system's message without the path. */
    private static Optional<String> reason(Throwable failure) {
        return Causes.first(failure, FileSystemException.class)
                .map(FileSystemException::getReason)
                .or(() -> Causes.first(failure, IOException.class).map(Throwable::getMessage));
    }

    private static JsonNode status(String name) {
        return Json.MAPPER.createObjectNode().put("status", name);
    }
}
