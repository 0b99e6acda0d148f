package dev.loopkeeper.process.tree;

import dev.loopkeeper.data.SmallFiles;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;

/**
 * Collaborators of a {@link ProcessTreeTermination}.
 *
 * @param killPatience time after KILL until a living process is reported as a survivor
 */
public record TreeContext(
        Vertx vertx,
        WorkerExecutor workers,
        ProcFs processes,
        Signals signals,
        ProcessScanner scanner,
        Clock clock,
        Duration killPatience) {
    /** Long enough for a process that waits for a disk. */
    public static final Duration KILL_PATIENCE = Duration.ofSeconds(5);

    /** Reads the machine's state. Blocks briefly. */
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
