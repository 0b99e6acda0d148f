package dev.loopkeeper.gateway;

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
 * Answers of which only so many are made at a time, as each takes much memory meanwhile; the rest waits in order, for a while.
 * From one context.
 */
final class InTurn {
    private record Waiting(Promise<Void> turn, BooleanSupplier gone) {}

    private final int most;
    private final Duration patience;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private int running;

    /** @param patience in which a turn comes, or the client is asked to come back */
    InTurn(int most, Duration patience) {
        this.most = most;
        this.patience = patience;
    }

    /**
     * What comes of this when its turn has come; what it throws fails that.
     *
     * @param gone whether the client has left, for whom nothing is made any more
     */
    <T> Future<T> call(Vertx vertx, BooleanSupplier gone, Supplier<Future<T>> work) {
        Promise<Void> turn = Promise.promise();
        waiting.add(new Waiting(turn, gone));
        next();
        if (!turn.future().isComplete()) {
            long late = vertx.setTimer(patience.toMillis(), over -> turn.tryFail(Problem.tooManyAnswers()));
            turn.future().onComplete(over -> vertx.cancelTimer(late));
        }
        return turn.future()
                .compose(begun -> Future.succeededFuture()
                        .compose(now -> work.get())
                        .onComplete(over -> {
                            running--;
                            next();
                        }));
    }

    private void next() {
        while (running < most && !waiting.isEmpty()) {
            Waiting first = waiting.remove();
            if (first.gone().getAsBoolean()) {
                first.turn().tryFail(new ClientGone());
            } else if (!first.turn().future().isComplete()) {
                running++;
                first.turn().complete();
            }
        }
    }
}
