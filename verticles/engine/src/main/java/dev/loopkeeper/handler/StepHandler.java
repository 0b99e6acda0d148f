package dev.loopkeeper.handler;

import dev.loopkeeper.verdict.Signal;
import io.vertx.core.Future;

/** An agent in Java. One handler executes many steps, also at the same time. */
@FunctionalInterface
public interface StepHandler {
    /**
     * Executes one step. Called on an event loop, in a context of its own, which it must not block; see {@link
     * Handlers#blocking}.
     *
     * @return the signal of the step; null is a missing signal, a failure or an exception is an error of the step
     */
    Future<Signal> handle(StepContext step);
}
