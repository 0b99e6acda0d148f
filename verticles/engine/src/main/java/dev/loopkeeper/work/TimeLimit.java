package dev.loopkeeper.work;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Waits for something for a while, for those whose state belongs to one context. Other than with {@link Future#timeout},
 * they hear there what comes of it, also where it belongs to no context or to another: such a future ends on the thread that
 * answers, or on one of Netty's when the time is over.
 */
public final class TimeLimit {
    private TimeLimit() {}

    /**
     * What comes of this, told on the caller's context a turn later; fails with
     * {@link java.util.concurrent.TimeoutException} when nothing has for so long. What comes after that is dropped.
     *
     * @param patience a millisecond at least
     */
    public static <T> Future<T> of(Vertx vertx, Future<T> awaited, Duration patience) {
        return new HomeContext(vertx.getOrCreateContext())
                .bring(awaited.timeout(patience.toMillis(), TimeUnit.MILLISECONDS));
    }
}
