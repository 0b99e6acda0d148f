package dev.loopkeeper.process;

import dev.loopkeeper.data.SmallFiles;
import dev.loopkeeper.process.tree.Cgroup;
import dev.loopkeeper.process.tree.ProcFs;
import dev.loopkeeper.process.tree.ProcessScanner;
import dev.loopkeeper.process.tree.Signals;
import dev.loopkeeper.process.tree.TreeContext;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;

/** Collaborators of the classes that supervise processes. */
public record SupervisorContext(
        TreeContext trees,
        Context context,
        SmallFiles files,
        LogCap logs,
        SupervisorOptions options,
        Optional<Path> cgroups) {
    Vertx vertx() {
        return trees.vertx();
    }

    WorkerExecutor workers() {
        return trees.workers();
    }

    ProcFs processes() {
        return trees.processes();
    }

    public Signals signals() {
        return trees.signals();
    }

    ProcessScanner scanner() {
        return trees.scanner();
    }

    Clock clock() {
        return trees.clock();
    }

    /** The same on a machine where no control groups can be made. */
    public SupervisorContext withoutCgroups() {
        return new SupervisorContext(trees, context, files, logs, options, Optional.empty());
    }

    /** A step's folder, which may not exist yet. */
    StepFolder folder(String runId, String stepId) {
        return StepFolder.of(options.data(), runId, stepId, files);
    }

    /**
     * Reads the state of the machine. Blocks briefly.
     *
     * @param files reads the machine and the notes of steps
     */
    public static SupervisorContext of(
            Vertx vertx, Context context, WorkerExecutor workers, SupervisorOptions options, SmallFiles files) {
        return new SupervisorContext(
                TreeContext.of(vertx, workers, files, options.killPatience()),
                context,
                files,
                new LogCap(workers, options.logLimit()),
                options,
                Cgroup.base());
    }
}
