package dev.loopkeeper.process;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Optional;

/** What everything that looks after processes works with. */
record Surroundings(
        Vertx vertx,
        Context context,
        WorkerExecutor workers,
        SmallFiles files,
        ProcFs processes,
        Signals signals,
        CensusTaker census,
        LogCap logs,
        SupervisorOptions options,
        Optional<Path> cgroups,
        Clock clock) {

    /** The same on a machine where no control groups can be made. */
    Surroundings withoutCgroups() {
        return new Surroundings(
                vertx, context, workers, files, processes, signals, census, logs, options, Optional.empty(), clock);
    }

    /** A step's folder, which may not exist yet. */
    StepFolder folder(String runId, String stepId) {
        return StepFolder.of(options.data(), runId, stepId, files);
    }

    /** Looks at the machine: blocking, but short. */
    static Surroundings of(Vertx vertx, Context context, WorkerExecutor workers, SupervisorOptions options) {
        return of(vertx, context, workers, options, SmallFiles.REAL);
    }

    /** The same, with the machine and the notes of steps read in this way. */
    static Surroundings of(
            Vertx vertx, Context context, WorkerExecutor workers, SupervisorOptions options, SmallFiles files) {
        ProcFs processes = new ProcFs(files);
        return new Surroundings(
                vertx,
                context,
                workers,
                files,
                processes,
                new Signals(processes),
                new CensusTaker(processes, workers),
                new LogCap(workers, options.logLimit()),
                options,
                Cgroup.base(),
                Clock.tickMillis(ZoneOffset.UTC));
    }
}
