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
        List<Double> fresh = new ArrayList<>();
        List<Double> bare = new ArrayList<>();
        for (int round = 0; round < FRESH_ROUNDS; round++) {
            try (BenchServer server = BenchServer.start(folder)) {
                fresh.add(iteration(server, 20, 1));
            }
            bare.add(bareIteration(20));
        }
        print("just started, 20 iterations", fresh, bare);
    }

    @Test
    void measuresIterationsOfAWarmServer() throws Exception {
        try (BenchServer server = BenchServer.start(folder)) {
            for (int round = 0; round < WARM_UP; round++) {
                iteration(server, 50, 1);
            }
            measure(server, "warm, 20 iterations", 20, 1);
            measure(server, "warm, 100 iterations", 100, 1);
            measure(server, "warm, 20 runs at once of 20 iterations", 20, 20);
        }
    }

    private void measure(BenchServer server, String what, int iterations, int runs) throws Exception {
        List<Double> own = new ArrayList<>();
        List<Double> bare = new ArrayList<>();
        for (int round = 0; round < WARM_ROUNDS; round++) {
            own.add(iteration(server, iterations, runs));
            bare.add(bareIteration(iterations));
        }
        print(what, own, bare);
    }

    /** Milliseconds an iteration, over all runs. */
    private static double iteration(BenchServer server, int iterations, int runs) {
        long begun = System.nanoTime();
        List<String> ids = IntStream.range(0, runs)
                .mapToObj(run -> server.submit(manifest(iterations)))
                .toList();
        long ended = ids.stream().mapToLong(server::untilEnded).max().orElseThrow();
        return (ended - begun) / 1e6 / iterations / runs;
    }

    private static String manifest(int iterations) {
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

    private double bareIteration(int iterations) throws IOException, InterruptedException {
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
            return (System.nanoTime() - begun) / 1e6 / iterations;
        }
    }

    private static void append(FileChannel file) throws IOException {
        file.write(ByteBuffer.allocate(SYNCED_BYTES));
        file.force(false);
    }

    private static void print(String what, List<Double> own, List<Double> bare) {
        System.out.printf(
                Locale.ROOT,
                "%s: %.1f ms an iteration (least %.1f); two bare launches and four syncs %.1f ms; ratio %.1f%n",
                what,
                median(own),
                own.stream().mapToDouble(Double::doubleValue).min().orElseThrow(),
                median(bare),
                median(own) / median(bare));
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
