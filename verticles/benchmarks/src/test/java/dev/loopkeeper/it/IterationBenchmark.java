package dev.loopkeeper.it;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an iteration of a dev and a judge costs, who write their signals at once, through the running server: from the
 * request that submits the run to the event that it ended. Beside it, in turns, two bare launches of the same agents
 * and four synced appends. {@code mvn -Pbench test -Dtest=IterationBenchmark -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class IterationBenchmark {
    private static final int FRESH_ROUNDS = 5;
    private static final int WARM_ROUNDS = 5;
    private static final int WARM_UP = 6;
    private static final int SYNCED_BYTES = 1500;
    private static final String AGENT = "printf '{\"determination\":\"PROGRESS\"}' > ";

    @TempDir
    private Path folder;

    @BeforeEach
    void makeJarAndArchive() throws IOException {
        BenchServer.start(folder).close();
    }

    @Test
    void measuresTheFirstIterationsOfAServer() throws Exception {
        List<Cost> fresh = new ArrayList<>();
        List<Cost> bare = new ArrayList<>();
        for (int round = 0; round < FRESH_ROUNDS; round++) {
            try (BenchServer server = BenchServer.start(folder)) {
                fresh.add(iteration(server, 20, 1));
            }
            bare.add(bareIteration(20));
        }
        print(BenchRows.Row.FRESH, "just started, 20 iterations", fresh, bare);
    }

    @Test
    void measuresIterationsOfAWarmServer() throws Exception {
        try (BenchServer server = BenchServer.start(folder)) {
            for (int round = 0; round < WARM_UP; round++) {
                iteration(server, 50, 1);
            }
            measure(server, BenchRows.Row.WARM_20, "warm, 20 iterations", signalling(20), 20, 1);
            measure(server, BenchRows.Row.WARM_100, "warm, 100 iterations", signalling(100), 100, 1);
            measure(server, BenchRows.Row.WARM_20_RUNS, "warm, 20 runs at once of 20", signalling(20), 20, 20);
            measure(server, BenchRows.Row.TRUE_STEPS, "warm, 20 iterations of true, true", silent(20), 20, 1);
        }
    }

    private void measure(BenchServer server, BenchRows.Row row, String what, String manifest, int iterations, int runs)
            throws Exception {
        List<Cost> own = new ArrayList<>();
        List<Cost> bare = new ArrayList<>();
        for (int round = 0; round < WARM_ROUNDS; round++) {
            own.add(iteration(server, manifest, iterations, runs));
            bare.add(bareIteration(iterations));
        }
        print(row, what, own, bare);
    }

    /** Milliseconds an iteration, over all runs; those of the processor only where they are known, else 0. */
    record Cost(double millis, double cpuMillis) {}

    /** What an iteration with signals costs. */
    static Cost iteration(BenchServer server, int iterations, int runs) {
        return iteration(server, signalling(iterations), iterations, runs);
    }

    /** What an iteration of this manifest costs. */
    static Cost iteration(BenchServer server, String manifest, int iterations, int runs) {
        double cpu = server.cpuMillis();
        long begun = System.nanoTime();
        List<String> ids = IntStream.range(0, runs)
                .mapToObj(run -> server.submit(manifest))
                .toList();
        long ended = ids.stream().mapToLong(server::untilEnded).max().orElseThrow();
        return new Cost((ended - begun) / 1e6 / iterations / runs, (server.cpuMillis() - cpu) / iterations / runs);
    }

    private static String silent(int iterations) {
        return """
                name: bench
                agents: {dev: {command: "true"}, judge: {command: "true"}}
                retry: {stopConditions: {circuitBreaker: 0}}
                phases: [{name: build, loop: {steps: [dev, judge], maxIterations: %d, noProgress: 0}}]
                """.formatted(iterations);
    }

    private static String signalling(int iterations) {
        return """
                name: bench
                agents:
                  dev: {command: %s, signal: ".loopkeeper/{{runId}}-dev.json"}
                  judge: {command: %s, signal: ".loopkeeper/{{runId}}-judge.json"}
                retry: {stopConditions: {circuitBreaker: 0}}
                phases: [{name: build, loop: {steps: [dev, judge], maxIterations: %d, noProgress: 0}}]
                """.formatted(quoted(), quoted(), iterations);
    }

    private static String quoted() {
        return "'" + (AGENT + "\"$LOOPKEEPER_SIGNAL_FILE\"").replace("'", "''") + "'";
    }

    private Cost bareIteration(int iterations) throws IOException, InterruptedException {
        Path log = folder.resolve("bare.log");
        try (FileChannel file =
                FileChannel.open(folder.resolve("bare.sync"), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            long begun = System.nanoTime();
            for (int step = 0; step < 2 * iterations; step++) {
                append(file);
                Process agent = new ProcessBuilder("/bin/sh", "-c", AGENT + "bare.json")
                        .directory(folder.toFile())
                        .redirectOutput(log.toFile())
                        .start();
                if (agent.waitFor() != 0) {
                    throw new IllegalStateException(Files.readString(log));
                }
                append(file);
            }
            return new Cost((System.nanoTime() - begun) / 1e6 / iterations, 0);
        }
    }

    private static void append(FileChannel file) throws IOException {
        file.write(ByteBuffer.allocate(SYNCED_BYTES));
        file.force(false);
    }

    static void print(BenchRows.Row row, String what, List<Cost> own, List<Cost> bare) {
        double millis = median(own, Cost::millis);
        double cpu = median(own, Cost::cpuMillis);
        System.out.printf(
                Locale.ROOT,
                "%s: %.1f ms an iteration (least %.1f), %.1f ms of the processor; beside it %.1f ms; ratio %.1f%n",
                what,
                millis,
                own.stream().mapToDouble(Cost::millis).min().orElseThrow(),
                cpu,
                median(bare, Cost::millis),
                millis / median(bare, Cost::millis));
        BenchRows.measured(
                row,
                BenchRows.figures("ms", millis) + " (processor " + BenchRows.figures("ms", cpu) + ")",
                BenchRows.figures("ms", median(bare, Cost::millis)));
    }

    private static double median(List<Cost> costs, ToDoubleFunction<Cost> of) {
        return costs.stream().mapToDouble(of).sorted().toArray()[costs.size() / 2];
    }
}
