package dev.loopkeeper.gateway.access;

import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.gateway.http.Problem;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Limits how many memory-intensive answers are built at a time; the rest waits in order, up to a time limit. Used from
 * one context.
 */
public final class ConcurrencyLimit {
    private record Waiting(Promise<Void> start, BooleanSupplier gone) {}

    private final int most;
    private final Duration patience;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private int running;

    /** @param patience how long work may wait to start before it is refused */
    public ConcurrencyLimit(int most, Duration patience) {
        this.most = most;
        this.patience = patience;
    }

    /**
     * Calls {@code work} once a slot is free; its exception fails the result.
     *
     * @param gone whether the client has disconnected, so that the work is skipped
     */
    public <T> Future<T> call(Vertx vertx, BooleanSupplier gone, Supplier<Future<T>> work) {
        Promise<Void> start = Promise.promise();
        waiting.add(new Waiting(start, gone));
        next();
        if (!start.future().isComplete()) {
            long timer = vertx.setTimer(patience.toMillis(), timeout -> start.tryFail(Problem.tooManyAnswers()));
            start.future().onComplete(begun -> vertx.cancelTimer(timer));
        }
        return start.future()
                .compose(begun -> Future.succeededFuture()
                        .compose(now -> work.get())
                        .onComplete(done -> {
                            running--;
                            next();
                        }));
    }

    private void next() {
        while (running < most && !waiting.isEmpty()) {
            Waiting first = waiting.remove();
            if (first.gone().getAsBoolean()) {
                first.start().tryFail(new ClientGone());
            } else if (!first.start().future().isComplete()) {
                running++;
                first.start().complete();
            }
        }
    }
}
