package dev.loopkeeper.embed;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How long a start takes that finds 1,000 open runs: paused ones, and ones whose step ended in the meantime. Not part of the
 * build, since figures are no test: {@code mvn -Pbench test -Dtest=RecoveryBenchmark}, see {@code docs/benchmarks.md}.
 */
class RecoveryBenchmark {
    private static final int RUNS = Integer.getInteger("loopkeeper.bench.runs", 1000);

    private static final int ROUNDS = Integer.getInteger("loopkeeper.bench.rounds", 3);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void measuresTheStart(OpenRuns.CopyState stand) throws IOException {
        Path kept = Path.of(System.getProperty("loopkeeper.bench.data", folder.toString()));
        Path data = kept.resolve(stand.name());
        OpenRuns.fill(data, folder.resolve("workspace"), RUNS, stand);
        for (int round = 1; round <= ROUNDS; round++) {
            Vertx vertx = Vertx.vertx();
            long begin = System.nanoTime();
            Loopkeeper keeper = Keeper.await(Loopkeeper.start(vertx, LoopkeeperOptions.of(data)));
            System.out.printf(
                    Locale.ROOT,
                    "BENCH start %d with %d %s runs: %.0f ms%n",
                    round,
                    RUNS,
                    stand,
                    (System.nanoTime() - begin) / 1e6);
            Keeper.await(keeper.close());
            Keeper.await(vertx.close());
        }
    }
}
