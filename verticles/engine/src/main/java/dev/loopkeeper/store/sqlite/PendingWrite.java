package dev.loopkeeper.store.sqlite;

import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoreUnavailableException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A write in the queue, with the caller that waits for its answer. */
final class PendingWrite<T> {
    private static final Logger LOG = LoggerFactory.getLogger(PendingWrite.class);

    private final Work<T> work;
    private final Context caller;
    /** Equal for callers on one event loop. */
    private final Object home;

    private final Promise<T> promise = Promise.promise();
    private Outcome outcome = Outcome.NOT_WRITTEN;
    private T value;
    /** Why it is not durable; null if nothing more is known. */
    private RuntimeException failure;

    /** The known outcome of a write. Changing it allocates nothing and so cannot fail. */
    private enum Outcome {
        NOT_WRITTEN,
        UNKNOWN,
        DURABLE
    }

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

    /** Executes the work; its value becomes the answer once it is {@link #durable}. */
    void run(SqliteWrites writes) throws SQLException {
        failure = null;
        value = work.apply(writes);
    }

    /** Called before the commit, from which on the write may be in the file. */
    void mayBeDurable() {
        outcome = Outcome.UNKNOWN;
    }

    /** Called after the commit; a refused write stays refused. */
    void durable() {
        outcome = Outcome.DURABLE;
    }

    void fail(RuntimeException cause) {
        outcome = Outcome.NOT_WRITTEN;
        failure = cause;
    }

    /** Fails the write at once, without a turn. */
    void reject(Throwable cause) {
        promise.tryFail(cause);
    }

    /**
     * Answers all callers, each on its own context, those of one event loop in the order of the batch. Each event loop
     * gets one task: a task for each caller costs more, and the first caller would write again without the others.
     */
    static void deliver(List<PendingWrite<?>> batch) {
        try {
            Map<Object, List<PendingWrite<?>>> byHome = batch.stream()
                    .collect(Collectors.groupingBy(write -> write.home, LinkedHashMap::new, Collectors.toList()));
            byHome.values()
                    .forEach(writes ->
                            writes.get(0).caller.runOnContext(now -> writes.forEach(PendingWrite::answerOnContext)));
        } catch (RuntimeException | Error broken) {
            LOG.error("answers of a batch could not be delivered together and are delivered one by one", broken);
            batch.forEach(PendingWrite::answerOnContext);
        }
    }

    /** Idempotent. A failure must not prevent answers to other callers. */
    private void answerOnContext() {
        try {
            caller.runOnContext(now -> answer());
        } catch (RuntimeException | Error broken) {
            LOG.error("a write is answered on the writer thread", broken);
            answer();
        }
    }

    private void answer() {
        if (failure != null) {
            promise.tryFail(failure);
        } else if (outcome == Outcome.DURABLE) {
            promise.tryComplete(value);
        } else if (outcome == Outcome.UNKNOWN) {
            promise.tryFail(new StoreUnavailableException(
                    "the commit failed, and its writes may or may not be in the file", null));
        } else {
            promise.tryFail(new StoreException("the write was abandoned; nothing was written", null));
        }
    }

    /** Statements of one write. */
    interface Work<T> {
        T apply(SqliteWrites writes) throws SQLException;
    }
}
