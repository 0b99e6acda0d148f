package dev.loopkeeper.store.sqlite;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A write that waits for its turn, and the caller who waits for the answer. */
final class PendingWrite<T> {
    private final Work<T> work;
    private final Context caller;
    /** The same for those who are told on one event loop. */
    private final Object home;

    private final Promise<T> promise = Promise.promise();
    private Runnable answer = () -> reject(new IllegalStateException("the write was never tried"));

    PendingWrite(Work<T> work, Context caller) {
        this.work = work;
        this.caller = caller;
        this.home = Context.isOnEventLoopThread() ? Thread.currentThread() : caller;
    }

    Context caller() {
        return caller;
    }

    Future<T> future() {
        return promise.future();
    }

    /** Does the work; the answer is kept until {@link #deliver}, since only the commit makes it true. */
    void run(SqliteWrites writes) throws SQLException {
        T value = work.apply(writes);
        answer = () -> promise.tryComplete(value);
    }

    void fail(RuntimeException cause) {
        answer = () -> promise.tryFail(cause);
    }

    /** Fails at once: its turn never came. */
    void reject(Throwable cause) {
        promise.tryFail(cause);
    }

    /**
     * Tells the callers, each on its own context and those of one event loop in the order of the batch. It is woken once:
     * for each it costs more, and who was told before the others would write without them.
     */
    static void deliver(List<PendingWrite<?>> batch) {
        Map<Object, List<PendingWrite<?>>> byHome = batch.stream()
                .collect(Collectors.groupingBy(write -> write.home, LinkedHashMap::new, Collectors.toList()));
        byHome.values().forEach(writes -> writes.get(0).caller.runOnContext(now -> writes.forEach(PendingWrite::tell)));
    }

    private void tell() {
        Runnable told = answer;
        caller.runOnContext(now -> told.run());
    }

    /** Statements inside one savepoint. */
    interface Work<T> {
        T apply(SqliteWrites writes) throws SQLException;
    }
}
