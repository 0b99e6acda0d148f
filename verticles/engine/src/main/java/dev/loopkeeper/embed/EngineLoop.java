package dev.loopkeeper.embed;

import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * Hosts the engine's verticles on one event loop, so that their frequent messages to each other wake no other thread.
 * They stop in the reverse order of their start.
 */
final class EngineLoop extends VerticleBase {
    private final Deque<VerticleBase> hosted = new ArrayDeque<>();
    private final Supplier<Future<Void>> beforeStop;

    /** @param beforeStop runs first where this is undeployed while verticles are still hosted */
    EngineLoop(Supplier<Future<Void>> beforeStop) {
        this.beforeStop = beforeStop;
    }

    /** Starts a verticle on this loop; completes or fails as its start does. Call after this is deployed. */
    Future<Void> host(VerticleBase verticle) {
        return onLoop(() -> {
            hosted.push(verticle);
            // A verticle that failed to start is not stopped.
            return attempt(() -> verticle.deploy(context)).onFailure(refused -> hosted.remove(verticle));
        });
    }

    /** Stops a verticle, unless it was stopped already. */
    Future<Void> leave(VerticleBase verticle) {
        return onLoop(() -> stop(verticle));
    }

    private Future<?> stop(VerticleBase verticle) {
        return hosted.remove(verticle) ? attempt(() -> verticle.undeploy(context)) : Future.succeededFuture();
    }

    private Future<Void> onLoop(Callable<Future<?>> action) {
        return new HomeContext(context).call(() -> attempt(action).mapEmpty());
    }

    private static Future<?> attempt(Callable<Future<?>> action) {
        try {
            return action.call();
        } catch (Exception thrown) {
            return Future.failedFuture(thrown);
        }
    }

    @Override
    public Future<?> stop() {
        return hosted.isEmpty() ? Future.succeededFuture() : beforeStop.get().transform(said -> leaveAll());
    }

    private Future<?> leaveAll() {
        return hosted.isEmpty() ? Future.succeededFuture() : stop(hosted.peek()).transform(left -> leaveAll());
    }
}
