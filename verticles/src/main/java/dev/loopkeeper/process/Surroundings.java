package dev.loopkeeper.process;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Clock;

/** What everything that looks after processes works with. */
record Surroundings(
        Vertx vertx,
        Context context,
        WorkerExecutor workers,
        ProcFs processes,
        Signals signals,
        CensusTaker census,
        SupervisorOptions options,
        Clock clock) {

    static Surroundings of(Vertx vertx, Context context, WorkerExecutor workers, SupervisorOptions options) {
        ProcFs processes = new ProcFs();
        return new Surroundings(
                vertx,
                context,
                workers,
                processes,
                new Signals(processes),
                new CensusTaker(processes, workers),
                options,
                Clock.systemUTC());
    }
}
