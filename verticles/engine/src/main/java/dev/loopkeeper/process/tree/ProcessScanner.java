package dev.loopkeeper.process.tree;

import dev.loopkeeper.work.SingleFlight;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Takes one snapshot for all concurrent requests, so that stopping 200 steps does not cost 200 scans. Called from one
 * context only.
 */
public final class ProcessScanner {
    /** A request and its result. */
    private static final class Ask<T> {
        private final Function<ProcessSnapshot, T> work;
        private Optional<Future<T>> done = Optional.empty();

        Ask(Function<ProcessSnapshot, T> work) {
            this.work = work;
        }

        void doIt(ProcessSnapshot snapshot) {
            done = Optional.of(Future.succeededFuture(snapshot).map(work));
        }
    }

    private final ProcessTable table;
    private final WorkerExecutor workers;
    private final SingleFlight<ProcessSnapshot> looks = new SingleFlight<>(this::look);
    private List<Ask<?>> asks = new ArrayList<>();
    private long sinceTicks = Long.MAX_VALUE;
    private boolean thorough;

    ProcessScanner(ProcFs processes, WorkerExecutor workers) {
        this.table = new ProcessTable(processes);
        this.workers = workers;
    }

    /** Takes a snapshot that begins after this call. Only marks are taken from the cache. */
    public Future<ProcessSnapshot> take() {
        return take(0, true, snapshot -> snapshot);
    }

    /**
     * Executes work on a snapshot that begins after this call, on a worker.
     *
     * @param sinceTicks marks of processes that started before may be missing: they are the most expensive part, and
     *     older processes cannot carry the mark of a later step
     * @param thoroughly see {@link ProcessTable#look}
     */
    <T> Future<T> take(long sinceTicks, boolean thoroughly, Function<ProcessSnapshot, T> work) {
        this.sinceTicks = Math.min(this.sinceTicks, sinceTicks);
        thorough |= thoroughly;
        Ask<T> ask = new Ask<>(work);
        asks.add(ask);
        return looks.run()
                .compose(snapshot ->
                        ask.done.orElseGet(() -> workers.executeBlocking(() -> work.apply(snapshot), false)));
    }

    private Future<ProcessSnapshot> look() {
        List<Ask<?>> served = asks;
        long since = sinceTicks;
        boolean all = thorough;
        asks = new ArrayList<>();
        sinceTicks = Long.MAX_VALUE;
        thorough = false;
        return workers.executeBlocking(() -> look(since, all, served), false);
    }

    /** Scans for one request, and executes its work on the same worker. */
    private ProcessSnapshot look(long since, boolean all, List<Ask<?>> served) {
        ProcessSnapshot snapshot = table.look(since, all);
        if (served.size() == 1) {
            served.get(0).doIt(snapshot);
        }
        return snapshot;
    }
}
