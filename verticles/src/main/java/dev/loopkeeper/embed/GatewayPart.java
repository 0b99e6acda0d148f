package dev.loopkeeper.embed;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.ServerAddress;
import dev.loopkeeper.gateway.CannotServeException;
import dev.loopkeeper.gateway.GatewayOptions;
import dev.loopkeeper.gateway.GatewayPorts;
import dev.loopkeeper.gateway.GatewayVerticle;
import dev.loopkeeper.gateway.Intake;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.submit.Submission;
import dev.loopkeeper.submit.Submissions;
import dev.loopkeeper.submit.SubmitOptions;
import dev.loopkeeper.work.Workers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.net.NetServer;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** HTTP, where it is wished, and the file that tells client commands where. */
final class GatewayPart {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayPart.class);
    private static final int WORKERS = 2;

    private final Vertx vertx;
    private final LoopkeeperOptions options;
    private final BooleanSupplier draining;
    private Optional<String> deployment = Optional.empty();
    private Optional<WorkerExecutor> workers = Optional.empty();

    GatewayPart(Vertx vertx, LoopkeeperOptions options, BooleanSupplier draining) {
        this.vertx = vertx;
        this.options = options;
        this.draining = draining;
    }

    /** Fails when it could not serve: before any run is taken up, so that a refused start leaves nothing behind. */
    Future<Void> probe() {
        return options.gateway()
                .map(where -> GatewayVerticle.check(vertx, where).compose(allowed -> probePort()))
                .orElseGet(Future::succeededFuture);
    }

    private Future<Void> probePort() {
        Optional<GatewayOptions> fixed = options.gateway().filter(where -> where.port() != 0);
        if (fixed.isEmpty()) {
            return Future.succeededFuture();
        }
        GatewayOptions where = fixed.get();
        return vertx.createNetServer()
                .connectHandler(early -> early.close().onFailure(gone -> LOG.debug("an early client is gone", gone)))
                .listen(where.port(), where.host())
                .recover(cause -> Future.failedFuture(taken(where, cause)))
                .compose(NetServer::close);
    }

    private static CannotServeException taken(GatewayOptions where, Throwable cause) {
        String reason = "the address is in use or not of this machine (" + cause.getMessage()
                + "); stop what listens there, or choose another port (0 picks a free one)";
        return new CannotServeException(where.host(), where.port(), reason, cause);
    }

    /** Completes with the address. */
    Future<Optional<String>> deploy(EventStore store) {
        if (options.gateway().isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        WorkerExecutor intakeWorkers = Workers.of(vertx, "loopkeeper-intake", WORKERS);
        workers = Optional.of(intakeWorkers);
        Submissions submissions = new Submissions(intakeWorkers, System.getenv());
        GatewayPorts ports = new GatewayPorts(
                store, (manifest, workspace, vars) -> intake(submissions, manifest, workspace, vars), draining);
        GatewayVerticle gateway = new GatewayVerticle(options.gateway().get(), ports);
        return vertx.deployVerticle(gateway)
                .onSuccess(id -> deployment = Optional.of(id))
                .compose(id -> announce(gateway.url(), options.gateway().get()))
                .map(Optional::of);
    }

    private static Future<Intake> intake(
            Submissions submissions, JsonNode manifest, Optional<String> workspace, Map<String, String> vars) {
        return submissions
                .fromDocument(manifest, new SubmitOptions(workspace, vars, Map.of()))
                .map(GatewayPart::intake);
    }

    private static Intake intake(Submission submission) {
        if (submission instanceof Submission.Accepted ready) {
            return new Intake.Ready(ready.document(), ready.workspace(), ready.baseDir(), ready.warnings());
        }
        return new Intake.Refused(((Submission.Refused) submission).problems());
    }

    private Future<String> announce(String url, GatewayOptions serving) {
        Optional<String> certificate = serving.admission()
                .tls()
                .map(files -> files.certificate().toAbsolutePath().normalize().toString());
        ServerAddress address = new ServerAddress(url, ProcessHandle.current().pid(), Instant.now(), certificate);
        return vertx.executeBlocking(
                () -> {
                    new DataFolder(options.dataFolder()).serverFile().write(address);
                    return url;
                },
                false);
    }

    Future<Void> undeploy() {
        if (deployment.isEmpty()) {
            return Future.succeededFuture();
        }
        return vertx.<Void>executeBlocking(
                        () -> {
                            new DataFolder(options.dataFolder()).serverFile().remove();
                            return null;
                        },
                        false)
                .eventually(() -> vertx.undeploy(deployment.get()))
                .eventually(() -> workers.map(WorkerExecutor::close).orElseGet(Future::succeededFuture));
    }
}
