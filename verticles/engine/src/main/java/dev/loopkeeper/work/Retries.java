package dev.loopkeeper.work;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Repeats work that fails. No attempt waits for the next one: such a chain of futures overflows the stack in time. */
public final class Retries {
    private Retries() {}

    /**
     * Attempts until one succeeds or its failure is final.
     *
     * @param pause from a failure to the next attempt
     * @param again receives each failure and returns whether to attempt again
     */
    public static <T> Future<T> every(
            Vertx vertx, Duration pause, Predicate<Throwable> again, Supplier<Future<T>> attempt) {
        Promise<T> done = Promise.promise();
        attempt(vertx, pause, again, attempt, done);
        return done.future();
    }

    private static <T> void attempt(
            Vertx vertx, Duration pause, Predicate<Throwable> again, Supplier<Future<T>> attempt, Promise<T> done) {
        Future.succeededFuture()
                .compose(now -> attempt.get())
                .onComplete(
                        done::complete,
                        cause -> Future.succeededFuture(cause)
                                .map(again::test)
                                .onSuccess(repeated -> {
                                    if (repeated) {
                                        vertx.setTimer(
                                                pause.toMillis(), due -> attempt(vertx, pause, again, attempt, done));
                                    } else {
                                        done.fail(cause);
                                    }
                                })
                                .onFailure(done::fail));
    }
}
