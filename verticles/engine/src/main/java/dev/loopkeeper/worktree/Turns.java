package dev.loopkeeper.worktree;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.WorkerExecutor;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/** Work that waits for its turn holds no thread: of one key one piece at a time, in the order in which they came. One context. */
final class Turns {
    private final WorkerExecutor workers;
    private final Map<Object, Future<Void>> last = new HashMap<>();

    Turns(WorkerExecutor workers) {
        this.workers = workers;
    }

    /** Fails as the work does. */
    <A> Future<A> take(Object key, Callable<A> work) {
        Future<Void> before = last.getOrDefault(key, Future.succeededFuture());
        Promise<Void> over = Promise.promise();
        Future<Void> mine = over.future();
        last.put(key, mine);
        return before.compose(mayBegin -> workers.executeBlocking(work, false)).onComplete(done -> {
            last.remove(key, mine);
            over.complete();
        });
    }
}
