package dev.loopkeeper.process;

import io.vertx.core.Future;
import io.vertx.core.Promise;
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
    private List<Promise<Census>> waiting = new ArrayList<>();
    private boolean counting;

    CensusTaker(ProcFs processes, WorkerExecutor workers) {
        this.processes = processes;
        this.workers = workers;
    }

    /** A census that begins after this call. */
    Future<Census> take() {
        Promise<Census> census = Promise.promise();
        waiting.add(census);
        if (!counting) {
            begin();
        }
        return census.future();
    }

    private void begin() {
        List<Promise<Census>> asked = waiting;
        waiting = new ArrayList<>();
        counting = true;
        workers.executeBlocking(this::count, false).onComplete((census, failure) -> {
            counting = false;
            if (!waiting.isEmpty()) {
                begin();
            }
            asked.forEach(promise -> promise.complete(census, failure));
        });
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
