package dev.loopkeeper.work;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Limits the wait for a future. Unlike {@link Future#timeout}, which completes on the thread of the answer or on one of
 * Netty's, the result arrives on the context of the caller.
 */
public final class TimeLimit {
    private TimeLimit() {}

    /**
     * Returns the result on the caller's context. Fails with {@link java.util.concurrent.TimeoutException} when the time is
     * over; a later result is dropped.
     *
     * @param patience at least a millisecond
     */
    public static <T> Future<T> of(Vertx vertx, Future<T> awaited, Duration patience) {
        return new HomeContext(vertx.getOrCreateContext())
                .bring(awaited.timeout(patience.toMillis(), TimeUnit.MILLISECONDS));
    }
}
