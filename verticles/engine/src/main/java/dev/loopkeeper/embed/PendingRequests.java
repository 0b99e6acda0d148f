package dev.loopkeeper.embed;

import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.termination.RefusalCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Keeps the requests of embedders that wait for an answer, so that the end of their Loopkeeper completes them. */
final class PendingRequests {
    private final Set<Promise<?>> answers = ConcurrentHashMap.newKeySet();
    private final BooleanSupplier closed;

    /** @param closed whether no request can be answered any more */
    PendingRequests(BooleanSupplier closed) {
        this.closed = closed;
    }

    /** Runs a request; its future also completes when the Loopkeeper is closed before the answer arrives. */
    <T> Future<T> open(Supplier<Future<T>> work) {
        Promise<T> answer = Promise.promise();
        answers.add(answer);
        if (closed.getAsBoolean()) {
            answer.fail(new LoopkeeperClosedException());
        } else {
            Future.succeededFuture()
                    .compose(now -> work.get())
                    .onComplete(answer::tryComplete, cause -> answer.tryFail(typed(cause)));
        }
        return answer.future().onComplete(over -> answers.remove(answer));
    }

    private Throwable typed(Throwable cause) {
        if (cause instanceof StoreException broken) {
            return new RunRefusedException(new Refusal(RefusalCode.STORE_UNAVAILABLE, broken.getMessage()));
        }
        // The verticle that answers may have stopped first.
        boolean fault = !(cause instanceof LoopkeeperException || cause instanceof TimeoutException);
        return fault && closed.getAsBoolean() ? new LoopkeeperClosedException() : cause;
    }

    /** Fails the requests that have no answer. */
    void close() {
        answers.forEach(answer -> answer.tryFail(new LoopkeeperClosedException()));
    }
}
