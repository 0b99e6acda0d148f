package dev.loopkeeper.work;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;

/**
 * Runs one piece of work at a time. Calls of {@link #run} during a run cause one more run after it, however many they
 * are, so that a change before a call is seen by a run that begins after the call. Used from one context only, on which
 * the work completes too.
 *
 * @param <T> the result of the work
 */
public final class SingleFlight<T> {
    private final Supplier<Future<T>> work;
    private Future<T> newest = Future.succeededFuture();
    private Optional<Promise<T>> asked = Optional.empty();
    private boolean running;
    private boolean closed;

    /** @param work may fail or throw, which fails only the futures of this run */
    public SingleFlight(Supplier<Future<T>> work) {
        this.work = work;
    }

    /**
     * Runs now, or once more after a run in progress. Returns the result of the run that begins after this call;
     * callers may ignore it if the work handles its own failures. Fails with {@link CancellationException} if that
     * run never begins.
     */
    @CanIgnoreReturnValue
    public Future<T> run() {
        if (closed) {
            return Future.failedFuture(new CancellationException());
        }
        if (!running) {
            return begin();
        }
        asked = asked.or(() -> Optional.of(Promise.promise()));
        return asked.get().future();
    }

    /** Runs now, or returns the run in progress, which may have begun before this call. */
    @CanIgnoreReturnValue
    public Future<T> join() {
        return running ? newest : run();
    }

    /** Whether a run is under way, as it is for the work itself. */
    public boolean isRunning() {
        return running;
    }

    /** Whether another run follows the one under way, so that what this one finds may be out of date. */
    public boolean isAskedAgain() {
        return asked.isPresent();
    }

    /** Completes when no run is in progress and none is requested. Never fails. */
    public Future<Void> idle() {
        return running ? newest.transform(over -> idle()) : Future.succeededFuture();
    }

    /** Prevents further runs, requested ones included. Completes when the run in progress has ended. Never fails. */
    @CanIgnoreReturnValue
    public Future<Void> close() {
        closed = true;
        Optional<Promise<T>> dropped = asked;
        asked = Optional.empty();
        dropped.ifPresent(promise -> promise.fail(new CancellationException()));
        return idle();
    }

    private Future<T> begin() {
        running = true;
        Promise<T> begun = Promise.promise();
        // Before the work, which may close this, or ask whether it runs, while it begins.
        newest = begun.future().onComplete(over -> runNext());
        Future<T> asked = newest;
        Future.succeededFuture().compose(now -> work.get()).onComplete(begun);
        return asked;
    }

    private void runNext() {
        running = false;
        Optional<Promise<T>> next = asked;
        asked = Optional.empty();
        next.ifPresent(promise -> begin().onComplete(promise));
    }
}
