package dev.loopkeeper.worktree;

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

/** Work that waits for its turn holds no thread: of one key one piece at a time, in the order in which they came. One context. */
final class Turns {
    /** What has not begun. */
    private record Waiting(Object purpose, AtomicBoolean taken, Promise<?> answer) {
        /** Whether nobody else takes it: a worker begins it, or somebody gives it up. */
        boolean take() {
            return taken.compareAndSet(false, true);
        }
    }

    private final WorkerExecutor workers;
    private final Map<Object, Future<Void>> last = new HashMap<>();
    private final Set<Waiting> waiting = new LinkedHashSet<>();

    Turns(WorkerExecutor workers) {
        this.workers = workers;
    }

    /** Answers what the work does, perhaps null, or fails as it does. */
    <A> Future<A> take(Object key, Callable<A> work) {
        return take(key, key, work);
    }

    /**
     * The same for what may be given up while it waits.
     *
     * @param purpose what it is for
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

    /** Fails at once what is for this and has not begun; its turn passes by. Answers how much there was. */
    int giveUp(Object purpose, Throwable cause) {
        List<Waiting> given = waiting.stream()
                .filter(one -> one.purpose().equals(purpose) && one.take())
                .toList();
        given.forEach(waiting::remove);
        given.forEach(one -> one.answer().fail(cause));
        return given.size();
    }
}
