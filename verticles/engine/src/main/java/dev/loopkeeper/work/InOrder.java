package dev.loopkeeper.work;

import io.vertx.core.Future;
import java.util.function.Function;

/** Does asynchronous work for one item after the other. */
public final class InOrder {
    private InOrder() {}

    /** Completes when the work for all items is done; fails with the first failure, after which no more begins. */
    public static <T, R> Future<Void> each(Iterable<T> items, Function<T, Future<R>> work) {
        Future<R> last = Future.succeededFuture();
        for (T item : items) {
            last = last.compose(before -> work.apply(item));
        }
        return last.mapEmpty();
    }
}
