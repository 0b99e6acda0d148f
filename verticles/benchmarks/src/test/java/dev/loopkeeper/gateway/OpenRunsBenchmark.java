package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.OpenRuns;
import dev.loopkeeper.gateway.access.GatewayOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Supplier;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What 10,000 open runs cost: a start, the heap they keep, a dry reap, the list of processes, metrics and a page of runs.
 * Not part of the build, since figures are no test: {@code mvn -Pbench test -Dtest=OpenRunsBenchmark}, see
 * {@code docs/benchmarks.md}.
 */
class OpenRunsBenchmark {
    private static final int RUNS = Integer.getInteger("loopkeeper.bench.runs", 10_000);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(names = {"PAUSED", "QUEUED"})
    void measuresWhatTheyCost(OpenRuns.CopyState stand) throws IOException {
        Path data = folder.resolve("data");
        OpenRuns.fill(data, folder.resolve("workspace"), RUNS, stand);
        LoopkeeperOptions options = LoopkeeperOptions.of(data).with(new Gateway(GatewayOptions.loopback(0, data)));
        long begin = System.nanoTime();
        try (Keeper keeper = new Keeper(data, folder.resolve("workspace"), options)) {
            print("start", stand, begin);
            System.gc();
            Runtime machine = Runtime.getRuntime();
            System.out.printf(
                    Locale.ROOT,
                    "BENCH heap with %d %s runs: %d MiB%n",
                    RUNS,
                    stand,
                    (machine.totalMemory() - machine.freeMemory()) >> 20);
            WebApi api = WebApi.of(keeper);
            for (int round = 0; round < 2; round++) {
                measure("reap --dry", stand, () -> api.post("/processes/reap", "{\"dryRun\":true}"));
                measure("ps", stand, () -> api.get("/processes"));
                measure("metrics", stand, () -> api.get("/metrics"));
                measure("runs --limit 1000", stand, () -> api.get("/runs?limit=1000"));
            }
        }
    }

    private static void measure(String what, OpenRuns.CopyState stand, Supplier<WebApi.Answer> ask) {
        long begin = System.nanoTime();
        assertThat(ask.get().status()).isEqualTo(200);
        print(what, stand, begin);
    }

    private static void print(String what, OpenRuns.CopyState stand, long begin) {
        System.out.printf(
                Locale.ROOT,
                "BENCH %s with %d %s runs: %.0f ms%n",
                what,
                RUNS,
                stand,
                (System.nanoTime() - begin) / 1e6);
    }
}
