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
                vertx, context, workers, processes, signals, census, logs, options, Optional.empty(), clock);
    }

    /** Looks at the machine: blocking, but short. */
    static Surroundings of(Vertx vertx, Context context, WorkerExecutor workers, SupervisorOptions options) {
        ProcFs processes = new ProcFs();
        return new Surroundings(
                vertx,
                context,
                workers,
                processes,
                new Signals(processes),
                new CensusTaker(processes, workers),
                new LogCap(workers, options.logLimit()),
                options,
                Cgroup.base(),
                Clock.tickMillis(ZoneOffset.UTC));
    }
}
