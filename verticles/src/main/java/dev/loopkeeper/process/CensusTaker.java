package dev.loopkeeper.process;

import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes a census for everyone who asks at the same time, so that stopping 200 steps costs no 200 scans. Called from
 * one context only.
 */
final class CensusTaker {
    private final ProcFs processes;
    private final WorkerExecutor workers;
    private volatile Map<Identity, Map<String, String>> marked = Map.of();
    private Future<Census> running;
    private Future<Census> next;

    CensusTaker(ProcFs processes, WorkerExecutor workers) {
        this.processes = processes;
        this.workers = workers;
    }

    /** A census that begins after this call. */
    Future<Census> take() {
        if (running == null) {
            running = begin();
            return running;
        }
        if (next == null) {
            next = running.transform(before -> {
                running = begin();
                next = null;
                return running;
            });
        }
        return next;
    }

    private Future<Census> begin() {
        Future<Census> census = workers.executeBlocking(this::count, false);
        return census.onComplete(done -> forget(census));
    }

    private void forget(Future<Census> census) {
        if (running == census) {
            running = null;
        }
    }

    private Census count() {
        List<Census.Seen> seen = new ArrayList<>();
        Map<Identity, Map<String, String>> carriers = new HashMap<>();
        for (ProcessStat stat : processes.all()) {
            Identity identity = processes.identity(stat);
            Map<String, String> marks = marks(stat, identity);
            if (marks.containsKey(StepEnvironment.NONCE)) {
                carriers.put(identity, marks);
            }
            seen.add(new Census.Seen(identity, stat, marks));
        }
        marked = carriers;
        return new Census(seen);
    }

    /** Once a carrier, always a carrier: an exec with a cleared environment does not change whose process it is. */
    private Map<String, String> marks(ProcessStat stat, Identity identity) {
        Map<String, String> known = marked.get(identity);
        if (known != null) {
            return known;
        }
        return stat.living() ? processes.marks(stat.pid()) : Map.of();
    }
}
