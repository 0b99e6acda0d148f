package dev.loopkeeper.process.tree;

import dev.loopkeeper.data.SmallFiles;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;

/**
 * What the end of a tree of processes works with.
 *
 * @param killPatience how long after KILL something may live before it counts as a survivor
 */
public record TreeContext(
        Vertx vertx,
        WorkerExecutor workers,
        ProcFs processes,
        Signals signals,
        ProcessScanner scanner,
        Clock clock,
        Duration killPatience) {
    /** Long enough for what waits for a disk. */
    public static final Duration KILL_PATIENCE = Duration.ofSeconds(5);

    /** Looks at the machine: blocking, but short. */
    public static TreeContext of(Vertx vertx, WorkerExecutor workers, SmallFiles files, Duration killPatience) {
        ProcFs processes = new ProcFs(files);
        return new TreeContext(
                vertx,
                workers,
                processes,
                new Signals(processes),
                new ProcessScanner(processes, workers),
                Clock.tickMillis(ZoneOffset.UTC),
                killPatience);
    }
}
