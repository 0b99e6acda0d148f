package dev.loopkeeper.it;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a warm iteration costs while many other runs are open, beside the same on another server with none, in turns:
 * {@code mvn -Pbench test -Dtest=OpenBesideBenchmark -Dsurefire.failIfNoSpecifiedTests=false};
 * {@code -Dloopkeeper.bench.runs=200} for a machine that bears no thousand agents.
 */
class OpenBesideBenchmark {
    private static final int RUNS = Integer.getInteger("loopkeeper.bench.runs", 1000);
    private static final int AT_ONCE = 50;
    private static final int ROUNDS = 5;
    private static final int ITERATIONS = 20;

    @TempDir
    private Path folder;

    @Test
    void measuresIterationsBesidePausedRuns() throws Exception {
        measure(BenchRows.Row.OPEN_PAUSED, "{command: \"true\", signal: '.loopkeeper/{{runId}}.json'}", "run.paused");
    }

    @Test
    void measuresIterationsBesideLivingAgents() throws Exception {
        measure(BenchRows.Row.OPEN_LIVING, "{command: [sleep, '3600'], stop: {grace: 100ms}}", "step.started");
    }

    private void measure(BenchRows.Row row, String agent, String reached) throws Exception {
        String manifest = "name: open\nagents: {one: " + agent + "}\nphases: [{name: work, task: one}]\n";
        try (BenchServer alone = BenchServer.start(folder);
                BenchServer beside = BenchServer.start(folder)) {
            List<String> runs = IntStream.range(0, RUNS)
                    .mapToObj(run -> beside.submit(manifest))
                    .toList();
            runs.forEach(run -> beside.until(reached, run));
            List<IterationBenchmark.Cost> own = new ArrayList<>();
            List<IterationBenchmark.Cost> bare = new ArrayList<>();
            for (int round = -ROUNDS; round < ROUNDS; round++) {
                IterationBenchmark.Cost costly = IterationBenchmark.iteration(beside, ITERATIONS, 1);
                IterationBenchmark.Cost cheap = IterationBenchmark.iteration(alone, ITERATIONS, 1);
                // The first ones warm both up.
                if (round >= 0) {
                    own.add(costly);
                    bare.add(cheap);
                }
            }
            IterationBenchmark.print(row, RUNS + " open", own, bare);
            stop(beside, runs);
        }
    }

    private static void stop(BenchServer server, List<String> runs) {
        for (int first = 0; first < runs.size(); first += AT_ONCE) {
            List<CompletableFuture<?>> stops = runs.subList(first, Math.min(first + AT_ONCE, runs.size())).stream()
                    .<CompletableFuture<?>>map(run ->
                            CompletableFuture.runAsync(() -> server.post("/runs/" + run + "/stop?wait=60s", "{}")))
                    .toList();
            stops.forEach(CompletableFuture::join);
        }
    }
}
