package dev.loopkeeper.process.tree;

import dev.loopkeeper.work.SingleFlight;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Takes a snapshot for everyone who asks at the same time, so that stopping 200 steps costs no 200 scans. Called from
 * one context only.
 */
public final class ProcessScanner {
    /** So many walks over all processes cost more than an index of them. */
    private static final int MANY = 16;

    /** Somebody who asked, and what becomes of the snapshot. */
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

    /** A snapshot that begins after this call; nothing is taken from memory but who carries a mark. */
    public Future<ProcessSnapshot> take() {
        return take(0, true, snapshot -> snapshot);
    }

    /**
     * Works on a snapshot that begins after this call, on a worker.
     *
     * @param sinceTicks of processes that started before this the marks may be missing: they cost the most, and a
     *     process carries nobody's mark that began later
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

    /** Who asked alone needs no other worker for what it does. */
    private ProcessSnapshot look(long since, boolean all, List<Ask<?>> served) {
        ProcessSnapshot snapshot = table.look(since, all);
        if (served.size() == 1) {
            served.get(0).doIt(snapshot);
        }
        return served.size() < MANY ? snapshot : snapshot.indexed();
    }
}
