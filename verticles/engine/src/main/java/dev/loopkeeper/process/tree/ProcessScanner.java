package dev.loopkeeper.process.tree;

import dev.loopkeeper.work.SingleFlight;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes a snapshot for everyone who asks at the same time, so that stopping 200 steps costs no 200 scans. Called from
 * one context only.
 */
public final class ProcessScanner {
    private final ProcFs processes;
    private final WorkerExecutor workers;
    private volatile Map<Identity, Map<String, String>> marked = Map.of();
    private final SingleFlight<ProcessSnapshot> counts = new SingleFlight<>(this::count);
    private long waitingSince = Long.MAX_VALUE;

    ProcessScanner(ProcFs processes, WorkerExecutor workers) {
        this.processes = processes;
        this.workers = workers;
    }

    /**
     * A snapshot that begins after this call.
     *
     * @param sinceTicks of processes that started before this the marks may be missing: they cost the most, and a
     *     process carries nobody's mark that began later
     */
    public Future<ProcessSnapshot> take(long sinceTicks) {
        waitingSince = Math.min(waitingSince, sinceTicks);
        return counts.run();
    }

    private Future<ProcessSnapshot> count() {
        long since = waitingSince;
        waitingSince = Long.MAX_VALUE;
        return workers.executeBlocking(() -> count(since), false);
    }

    private ProcessSnapshot count(long since) {
        List<ProcessSnapshot.Seen> seen = new ArrayList<>();
        Map<Identity, Map<String, String>> carriers = new HashMap<>();
        for (ProcessStat stat : processes.all()) {
            Identity identity = processes.identity(stat);
            Map<String, String> marks = marks(stat, identity, since);
            if (marks.containsKey(StepEnvironment.NONCE)) {
                carriers.put(identity, marks);
            }
            seen.add(new ProcessSnapshot.Seen(identity, stat, marks));
        }
        marked = carriers;
        return new ProcessSnapshot(seen);
    }

    /** Once a carrier, always a carrier: an exec with a cleared environment does not change whose process it is. */
    private Map<String, String> marks(ProcessStat stat, Identity identity, long since) {
        Map<String, String> known = marked.get(identity);
        if (known != null) {
            return known;
        }
        return stat.living() && stat.startTicks() >= since ? processes.marks(stat.pid()) : Map.of();
    }
}
