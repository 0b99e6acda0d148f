package dev.loopkeeper.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run of many iterations: the processor time of the server for each of them, its memory, and what it costs to check
 * the run, for each stretch of the run beside the one before it. Processor time and not time, which other work makes
 * longer: {@code mvn -Pbench test -Dtest=LongRunBenchmark -Dsurefire.failIfNoSpecifiedTests=false};
 * {@code -Dloopkeeper.bench.iterations=1500} for a shorter one.
 */
class LongRunBenchmark {
    private static final int ITERATIONS = Integer.getInteger("loopkeeper.bench.iterations", 10_000);
    private static final int STRETCHES = 5;
    private static final int LOOKS = 40;
    private static final double TICKS_PER_MILLI = 0.1;
    private static final Duration LONG = Duration.ofHours(1);

    @TempDir
    private Path folder;

    @Test
    void measuresWhetherIterationsAndLooksGetDearer() throws Exception {
        try (BenchServer server = BenchServer.start(folder)) {
            String run = server.submit("""
                    name: long
                    agents: {dev: {command: "true"}}
                    retry: {stopConditions: {circuitBreaker: 0}}
                    phases: [{name: build, loop: {steps: [dev], maxIterations: %d, noProgress: 0}}]
                    """.formatted(ITERATIONS + 1));
            until(server, run, ITERATIONS / STRETCHES / 2);
            double first = 0;
            for (int stretch = 1; stretch <= STRETCHES; stretch++) {
                int from = iteration(server, run);
                double before = cpuMillis(server);
                until(server, run, ITERATIONS * stretch / STRETCHES);
                int to = iteration(server, run);
                double each = (cpuMillis(server) - before) / Math.max(1, to - from);
                first = stretch == 1 ? each : first;
                BenchRows.measured(
                        BenchRows.Row.LONG,
                        BenchRows.figures("ms", each) + " around the " + to + "th, " + residentMiB(server) + " MiB",
                        BenchRows.figures("ms", first));
                System.out.printf(
                        Locale.ROOT,
                        "iterations %d to %d: %.2f ms of the processor each, %d MiB resident%s%n",
                        from,
                        to,
                        each,
                        residentMiB(server),
                        looks(
                                server,
                                "/runs/" + run,
                                "/explain",
                                "/steps?limit=100",
                                "/steps/build." + (to - 1) + ".dev.1",
                                "/steps/build.1.dev.1",
                                "/events?limit=100"));
            }
        }
    }

    /** While the run continues, so they hold a part of its iterations too. */
    private static String looks(BenchServer server, String run, String... paths) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String path : paths) {
            server.get(run + path);
            long begun = System.nanoTime();
            for (int look = 0; look < LOOKS; look++) {
                server.get(run + path);
            }
            text.append(String.format(Locale.ROOT, "; %s %.1f ms", path, (System.nanoTime() - begun) / 1e6 / LOOKS));
        }
        return text.toString();
    }

    private static void until(BenchServer server, String run, int iteration) {
        Awaitility.await()
                .atMost(LONG)
                .pollInterval(Duration.ofMillis(500))
                .until(() -> iteration(server, run) >= iteration);
    }

    private static int iteration(BenchServer server, String run) {
        return server.get("/runs/" + run).at("/position/iteration").asInt();
    }

    private static double cpuMillis(BenchServer server) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + server.pid() + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_MILLI;
    }

    private static long residentMiB(BenchServer server) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + server.pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D+", "")) / 1024)
                .findFirst()
                .orElseThrow();
    }
}
