package dev.loopkeeper.work;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Timer;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A named worker pool of Vert.x that is closed in order. Vert.x alone drops waiting work, interrupts running work, and
 * completes it on an event loop that may be gone by then. Thread-safe.
 */
public final class Workers implements WorkerExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);
    /** Longer than any work takes on a machine that is not broken. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final long AGAIN_MILLIS = 50;

    private final Vertx vertx;
    private final String name;
    private final WorkerExecutor pool;
    private final Duration patience;
    private final Promise<Void> idle = Promise.promise();
    private int underWay;
    private boolean closing;

    Workers(Vertx vertx, String name, int threads, Duration patience) {
        this(vertx, name, vertx.createSharedWorkerExecutor(name, threads), patience);
    }

    Workers(Vertx vertx, String name, WorkerExecutor pool, Duration patience) {
        this.vertx = vertx;
        this.name = name;
        this.pool = pool;
        this.patience = patience;
    }

    /**
     * A pool of its own, or more work for the one of that name.
     *
     * @param name e.g. {@code loopkeeper-signals}, seen in the names of its threads
     */
    public static Workers of(Vertx vertx, String name, int threads) {
        return new Workers(vertx, name, threads, PATIENCE);
    }

    /**
     * A pool for long work that has a time limit of its own.
     *
     * @param longest Vert.x warns of work that takes longer
     */
    public static Workers of(Vertx vertx, String name, int threads, Duration longest) {
        return new Workers(
                vertx,
                name,
                vertx.createSharedWorkerExecutor(name, threads, longest.toMillis(), TimeUnit.MILLISECONDS),
                PATIENCE);
    }

    /** Fails with {@link RejectedExecutionException} once the pool is being closed; never throws. */
    @Override
    public <T> Future<T> executeBlocking(Callable<T> work, boolean ordered) {
        if (!begin()) {
            return refusal();
        }
        return begun(work, ordered, System.nanoTime()).onComplete(over -> end());
    }

    /** The pool starts its threads for the work that comes, and the machine may have none to give at a moment. */
    private <T> Future<T> begun(Callable<T> work, boolean ordered, long since) {
        try {
            return pool.executeBlocking(work, ordered);
        } catch (RejectedExecutionException closedWithVertx) {
            return refusal();
        } catch (OutOfMemoryError noThread) {
            // The order of Vert.x takes nothing more behind work that it could not begin.
            return ordered || System.nanoTime() - since > patience.toNanos()
                    ? Future.failedFuture(noThread)
                    : vertx.timer(AGAIN_MILLIS, TimeUnit.MILLISECONDS).compose(now -> begun(work, ordered, since));
        }
    }

    private <T> Future<T> refusal() {
        return Future.failedFuture(new RejectedExecutionException(name + " accepts no more work"));
    }

    private synchronized boolean begin() {
        if (!closing) {
            underWay++;
        }
        return !closing;
    }

    private void end() {
        boolean rests;
        synchronized (this) {
            underWay--;
            rests = closing && underWay == 0;
        }
        if (rests) {
            idle.tryComplete();
        }
    }

    /** Takes no more work; completes when what was begun is done, or was cut off after 10 s. */
    @Override
    public Future<Void> close() {
        synchronized (this) {
            closing = true;
            if (underWay == 0) {
                idle.tryComplete();
            }
        }
        if (idle.future().isComplete()) {
            return pool.close();
        }
        Timer limit = vertx.timer(patience.toMillis(), TimeUnit.MILLISECONDS);
        return Future.any(idle.future(), limit)
                .onComplete(over -> limit.cancel())
                .transform(over -> cutOff());
    }

    private Future<Void> cutOff() {
        if (!idle.future().isComplete()) {
            LOG.warn("work of {} is not done within {} and is interrupted", name, patience);
        }
        return pool.close();
    }

    @Override
    public boolean isMetricsEnabled() {
        return pool.isMetricsEnabled();
    }
}
