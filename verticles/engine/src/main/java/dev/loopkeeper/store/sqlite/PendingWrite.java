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

/** A write that waits for its turn, and the caller who waits for the answer. */
final class PendingWrite<T> {
    private static final Logger LOG = LoggerFactory.getLogger(PendingWrite.class);

    private final Work<T> work;
    private final Context caller;
    /** The same for callers on one event loop. */
    private final Object home;

    private final Promise<T> promise = Promise.promise();
    private Outcome outcome = Outcome.NOT_WRITTEN;
    private T value;
    /** Why it is not durable; null where nothing more is known. */
    private RuntimeException failure;

    /** What is known of a write. To change it allocates nothing, so that it cannot fail. */
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

    /** Does the work; its value is the answer only once it is {@link #durable}. */
    void run(SqliteWrites writes) throws SQLException {
        failure = null;
        value = work.apply(writes);
    }

    /** The commit begins: from now on it may be in the file. */
    void mayBeDurable() {
        outcome = Outcome.UNKNOWN;
    }

    /** Its transaction is committed; one that was refused in it stays refused. */
    void durable() {
        outcome = Outcome.DURABLE;
    }

    void fail(RuntimeException cause) {
        outcome = Outcome.NOT_WRITTEN;
        failure = cause;
    }

    /** Fails at once: its turn never came. */
    void reject(Throwable cause) {
        promise.tryFail(cause);
    }

    /**
     * Answers the callers, each on its own context and those of one event loop in the order of the batch. It is woken once:
     * for each it costs more, and a caller that is answered before the others would write without them.
     */
    static void deliver(List<PendingWrite<?>> batch) {
        try {
            Map<Object, List<PendingWrite<?>>> byHome = batch.stream()
                    .collect(Collectors.groupingBy(write -> write.home, LinkedHashMap::new, Collectors.toList()));
            byHome.values()
                    .forEach(writes ->
                            writes.get(0).caller.runOnContext(now -> writes.forEach(PendingWrite::answerOnContext)));
        } catch (RuntimeException | Error broken) {
            LOG.error("writes could not be answered together and are answered one by one", broken);
            batch.forEach(PendingWrite::answerOnContext);
        }
    }

    /** Once, however often it is called. One that cannot be answered takes no answer of another with it. */
    private void answerOnContext() {
        try {
            caller.runOnContext(now -> answer());
        } catch (RuntimeException | Error broken) {
            LOG.error("a write is answered on the thread that wrote it", broken);
            answer();
        }
    }

    private void answer() {
        if (failure != null) {
            promise.tryFail(failure);
        } else if (outcome == Outcome.DURABLE) {
            promise.tryComplete(value);
        } else if (outcome == Outcome.UNKNOWN) {
            promise.tryFail(
                    new StoreUnavailableException("the commit failed, and what it wrote may be there or not", null));
        } else {
            promise.tryFail(new StoreException("the write was given up; nothing was written", null));
        }
    }

    /** Statements inside one savepoint. */
    interface Work<T> {
        T apply(SqliteWrites writes) throws SQLException;
    }
}
