package dev.loopkeeper.it;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * kill -9 of a server with a thousand open runs, and how long its next start takes until it says that it lives and that
 * it takes work, beside a start on an empty data folder: {@code mvn -Pbench test -Dtest=RestartBenchmark
 * -Dsurefire.failIfNoSpecifiedTests=false}; {@code -Dloopkeeper.bench.runs=200} for a machine that bears no thousand
 * agents.
 */
class RestartBenchmark {
    private static final int RUNS = Integer.getInteger("loopkeeper.bench.runs", 1000);
    private static final int AT_ONCE = 50;

    @TempDir
    private Path folder;

    @Test
    void measuresAStartThatFindsPausedRuns() throws Exception {
        measure(
                BenchRows.Row.RESTART_PAUSED,
                "paused",
                "{command: \"true\", signal: '.loopkeeper/{{runId}}.json'}",
                "run.paused");
    }

    @Test
    void measuresAStartThatFindsLivingAgents() throws Exception {
        measure(
                BenchRows.Row.RESTART_LIVING,
                "with a living agent",
                "{command: [sleep, '600'], stop: {grace: 100ms}}",
                "step.started");
    }

    private void measure(BenchRows.Row row, String what, String agent, String reached) throws Exception {
        String manifest = "name: bench\nagents: {one: " + agent + "}\nphases: [{name: work, task: one}]\n";
        BenchServer before = BenchServer.start(folder);
        List<String> runs = IntStream.range(0, RUNS)
                .mapToObj(run -> before.submit(manifest))
                .toList();
        runs.forEach(run -> before.until(reached, run));
        before.kill();
        try (BenchServer after = BenchServer.startIn(before.folder())) {
            try (BenchServer empty = BenchServer.start(folder)) {
                System.out.printf(
                        Locale.ROOT,
                        "restart with %d runs %s: lives after %.0f ms, ready after %.0f ms; with none %.0f and %.0f ms%n",
                        RUNS,
                        what,
                        after.liveMillis(),
                        after.readyMillis(),
                        empty.liveMillis(),
                        empty.readyMillis());
                BenchRows.measured(
                        row,
                        BenchRows.figures("ms", after.liveMillis(), after.readyMillis()) + " (" + RUNS + " runs)",
                        BenchRows.figures("ms", empty.liveMillis(), empty.readyMillis()));
            }
            for (int first = 0; first < RUNS; first += AT_ONCE) {
                List<CompletableFuture<?>> stops = runs.subList(first, Math.min(first + AT_ONCE, RUNS)).stream()
                        .<CompletableFuture<?>>map(run ->
                                CompletableFuture.runAsync(() -> after.post("/runs/" + run + "/stop?wait=60s", "{}")))
                        .toList();
                stops.forEach(CompletableFuture::join);
            }
        }
    }
}
