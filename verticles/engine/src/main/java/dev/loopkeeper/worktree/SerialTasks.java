package dev.loopkeeper.worktree;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.WorkerExecutor;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs blocking tasks one at a time per key, in order; a waiting task occupies no thread. Used from one context only.
 */
final class SerialTasks {
    /** A task that has not started. */
    private record Waiting(Object purpose, AtomicBoolean taken, Promise<?> answer) {
        /** Claims the task, for a worker that starts it or for a cancellation; false if it was claimed before. */
        boolean take() {
            return taken.compareAndSet(false, true);
        }
    }

    private final WorkerExecutor workers;
    private final Map<Object, Future<Void>> last = new HashMap<>();
    private final Set<Waiting> waiting = new LinkedHashSet<>();

    SerialTasks(WorkerExecutor workers) {
        this.workers = workers;
    }

    /** Runs the task in order; completes or fails with its result, which may be null. */
    <A> Future<A> take(Object key, Callable<A> work) {
        return take(key, key, work);
    }

    /**
     * Runs a task that may be cancelled while it waits.
     *
     * @param purpose key for its cancellation
     */
    <A> Future<A> take(Object key, Object purpose, Callable<A> work) {
        Promise<A> answer = Promise.promise();
        Waiting mine = new Waiting(purpose, new AtomicBoolean(), answer);
        waiting.add(mine);
        Future<Void> before = last.getOrDefault(key, Future.succeededFuture());
        Future<Void> over = before.compose(mayBegin -> mine.taken().get() ? nothing() : begin(mine, answer, work))
                .otherwiseEmpty();
        last.put(key, over);
        over.onComplete(done -> last.remove(key, over));
        return answer.future();
    }

    private static <A> Future<A> nothing() {
        return Future.succeededFuture();
    }

    private <A> Future<Void> begin(Waiting mine, Promise<A> answer, Callable<A> work) {
        return workers.<Runnable>executeBlocking(
                        () -> {
                            if (!mine.take()) {
                                return () -> {};
                            }
                            A found = work.call();
                            return () -> answer.complete(found);
                        },
                        false)
                .onComplete(done -> waiting.remove(mine))
                .onSuccess(Runnable::run)
                .onFailure(answer::tryFail)
                .mapEmpty();
    }

    /** Cancels the waiting tasks for this purpose and returns their number. */
    @CanIgnoreReturnValue
    int giveUp(Object purpose, Throwable cause) {
        List<Waiting> given = waiting.stream()
                .filter(one -> one.purpose().equals(purpose) && one.take())
                .toList();
        given.forEach(waiting::remove);
        given.forEach(one -> one.answer().fail(cause));
        return given.size();
    }
}
