package dev.loopkeeper.embed;

import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * Verticles that ask each other several times at every step, on one event loop: what they tell each other then wakes no
 * other thread. They leave in the reverse of the order in which they came.
 */
final class EngineLoop extends VerticleBase {
    private final Deque<VerticleBase> hosted = new ArrayDeque<>();
    private final Supplier<Future<Void>> farewell;

    /** @param farewell what comes first where this is undeployed with verticles that have not left */
    EngineLoop(Supplier<Future<Void>> farewell) {
        this.farewell = farewell;
    }

    /** Starts it here; completes or fails as its start does. Once this is deployed. */
    Future<Void> host(VerticleBase verticle) {
        return onLoop(() -> {
            hosted.push(verticle);
            // One that did not start is not stopped.
            return attempt(() -> verticle.deploy(context)).onFailure(refused -> hosted.remove(verticle));
        });
    }

    /** Stops it; one that has left already is left alone. */
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
        return hosted.isEmpty() ? Future.succeededFuture() : farewell.get().transform(said -> leaveAll());
    }

    private Future<?> leaveAll() {
        return hosted.isEmpty() ? Future.succeededFuture() : stop(hosted.peek()).transform(left -> leaveAll());
    }
}
