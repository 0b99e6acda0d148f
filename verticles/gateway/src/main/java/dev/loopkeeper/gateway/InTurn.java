package dev.loopkeeper.gateway;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/** Work of which only so much is done at a time, as each takes much memory; the rest waits in order. From one context. */
final class InTurn {
    private final int most;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int running;

    InTurn(int most) {
        this.most = most;
    }

    /** What comes of this when its turn has come; what it throws fails that. */
    <T> Future<T> call(Supplier<Future<T>> work) {
        Promise<T> done = Promise.promise();
        waiting.add(() -> Future.succeededFuture().compose(begun -> work.get()).onComplete(over -> {
            running--;
            done.handle(over);
            next();
        }));
        next();
        return done.future();
    }

    private void next() {
        while (running < most && !waiting.isEmpty()) {
            running++;
            waiting.remove().run();
        }
    }
}
