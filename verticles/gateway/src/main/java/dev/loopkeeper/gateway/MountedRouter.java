package dev.loopkeeper.gateway;

import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.ProblemJson;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A router for another server, and the context of that server, in which the gateway works too. */
final class MountedRouter {
    private static final Logger LOG = LoggerFactory.getLogger(MountedRouter.class);

    private final Context context;
    private final Router router;
    private volatile Problem closed =
            new Problem(RefusalCode.STARTING, "the server is loading its open runs; retry in a second");
    private volatile boolean open;
    private volatile Thread home;

    MountedRouter(Vertx vertx) {
        this.context = vertx.getOrCreateContext();
        this.router = Router.router(vertx);
        router.route().handler(this::admit).failureHandler(ProblemJson::answer);
    }

    Router router() {
        return router;
    }

    private void admit(RoutingContext request) {
        if (!open) {
            throw closed;
        }
        if (Thread.currentThread() != home) {
            throw new Problem(
                    RefusalCode.UNAVAILABLE,
                    "the router is served by another event loop than that in which Gateway.router was called;"
                            + " call it in the verticle that serves it, and deploy one instance of that");
        }
        if (request.normalizedPath().equals(Endpoint.mount(request))) {
            // Relative links of the page need the slash.
            request.redirect(request.normalizedPath() + "/").onFailure(request::fail);
        } else {
            request.next();
        }
    }

    /** Runs the verticle in the server's context. */
    Future<Void> deploy(VerticleBase verticle) {
        return new HomeContext(context).call(() -> {
            home = Thread.currentThread();
            return run(() -> verticle.deploy(context));
        });
    }

    void open() {
        open = true;
    }

    void failed(Throwable cause) {
        closed = new Problem(RefusalCode.UNAVAILABLE, "the gateway could not be started; see the server's log");
        LOG.error("the gateway could not be mounted: {}", cause.getMessage(), cause);
    }

    /** From now on every request is answered with 503. */
    Future<Void> close(VerticleBase verticle) {
        closed = new Problem(RefusalCode.DRAINING, "Loopkeeper was closed");
        open = false;
        return new HomeContext(context).call(() -> run(() -> verticle.undeploy(context)));
    }

    private interface Step {
        Future<?> run() throws Exception;
    }

    private static Future<Void> run(Step step) {
        try {
            return step.run().mapEmpty();
        } catch (Exception failed) {
            return Future.failedFuture(failed);
        }
    }
}
