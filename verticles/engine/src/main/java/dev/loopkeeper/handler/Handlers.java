package dev.loopkeeper.handler;

import dev.loopkeeper.verdict.Signal;
import io.vertx.core.Promise;

/** Creates handlers. */
public final class Handlers {
    private Handlers() {}

    /** A handler that may block its thread, e.g. in a call of a model. */
    @FunctionalInterface
    public interface Blocking {
        /** Executes one step; see {@link StepHandler#handle}. Its thread is interrupted when the step is cancelled. */
        Signal handle(StepContext step) throws Exception;
    }

    /** Calls this handler on a thread of its own for each step. */
    public static StepHandler blocking(Blocking handler) {
        return step -> {
            Promise<Signal> done = Promise.promise();
            Thread thread = new Thread(
                    () -> call(handler, step, done),
                    "loopkeeper-handler-" + step.step().agent());
            thread.setDaemon(true);
            step.cancelled().onSuccess(ends -> thread.interrupt());
            thread.start();
            return done.future();
        };
    }

    private static void call(Blocking handler, StepContext step, Promise<Signal> done) {
        try {
            done.complete(handler.handle(step));
        } catch (Throwable failure) {
            done.fail(failure);
        }
    }
}
