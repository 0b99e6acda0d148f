package dev.loopkeeper.embed;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long a stop takes, and what many idle agents cost. Not part of the build: {@code mvn -Pbench test}. */
class StopBenchmark {
    private static final int ROUNDS = 15;
    private static final int CHILDREN = 200;
    private static final int GRACE_MILLIS = 200;
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private Keeper keeper() throws IOException {
        return new Keeper(folder.resolve("data"), folder.resolve("workspace"));
    }

    private Path file(String name) {
        return folder.resolve("workspace").resolve(name);
    }

    @Test
    void measuresAStopOfAPoliteTreeAndOfOneThatIgnoresTerm() throws Exception {
        try (Keeper keeper = keeper()) {
            long cpu = cpuNanos();
            double polite = medianStop(keeper, "sleep 300 & : > ready; wait");
            double politeCpu = (cpuNanos() - cpu) / 1e6 / ROUNDS;
            double ignoring = medianStop(keeper, "trap '' TERM; sleep 300 & : > ready; while :; do sleep 1; done");
            System.out.printf(
                    Locale.ROOT,
                    "a stop, median of %d: polite tree %.1f ms (%.1f ms of the runtime's processor time, with its start); TERM ignored %.1f ms beyond its grace of %d ms%n",
                    ROUNDS,
                    polite,
                    politeCpu,
                    ignoring - GRACE_MILLIS,
                    GRACE_MILLIS);
        }
    }

    private double medianStop(Keeper keeper, String command) throws IOException {
        List<Double> millis = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            Files.deleteIfExists(file("ready"));
            String runId = keeper.start("""
                    name: stops
                    agents: {one: {command: "%s", stop: {grace: %dms}}}
                    phases: [{name: work, task: one}]
                    """.formatted(command, GRACE_MILLIS));
            Awaitility.await().atMost(SOON).until(() -> Files.exists(file("ready")));
            long start = System.nanoTime();
            if (keeper.stop(runId, false).refusal().isPresent()) {
                throw new IllegalStateException("the stop was refused");
            }
            keeper.untilEnded(runId);
            millis.add((System.nanoTime() - start) / 1e6);
        }
        return millis.stream().sorted().toList().get(ROUNDS / 2);
    }

    @Test
    void measuresManyIdleChildren() throws Exception {
        try (Keeper keeper = keeper()) {
            long before = runtimeKilobytes();
            long start = System.nanoTime();
            String runId = keeper.start(idle());
            Awaitility.await().atMost(SOON).pollInterval(Duration.ofMillis(5)).until(() -> ready() == CHILDREN);
            double started = (System.nanoTime() - start) / 1e6;
            long runtime = runtimeKilobytes() - before;
            long launchers = launcherKilobytes();
            long cpu = cpuNanos();
            start = System.nanoTime();
            if (keeper.stop(runId, false).refusal().isPresent()) {
                throw new IllegalStateException("the stop was refused");
            }
            keeper.untilEnded(runId);
            System.out.printf(
                    Locale.ROOT,
                    "%d idle children: started in %.0f ms, stopped in %.0f ms (%.0f ms of the runtime's processor time);"
                            + " per child %d KiB in the runtime, %d KiB in its launcher%n",
                    CHILDREN,
                    started,
                    (System.nanoTime() - start) / 1e6,
                    (cpuNanos() - cpu) / 1e6,
                    runtime / CHILDREN,
                    launchers / CHILDREN);
        }
    }

    private static long cpuNanos() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime();
    }

    private static String idle() {
        String items = IntStream.range(0, CHILDREN)
                .mapToObj(item -> "{id: i" + item + "}")
                .collect(Collectors.joining(", "));
        return """
                name: idle
                agents: {one: {command: ": > ready.$LOOPKEEPER_ITEM; exec sleep 300"}}
                retry: {stopConditions: {circuitBreaker: 0}}
                phases: [{name: all, each: {steps: [one], concurrency: %d, items: [%s]}}]
                """.formatted(CHILDREN, items);
    }

    private long ready() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("workspace"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("ready."))
                    .count();
        }
    }

    private static long runtimeKilobytes() throws IOException {
        return kilobytes(Path.of("/proc/self/status"), "VmRSS:");
    }

    /** The proportional part of what the shells that wait for the agents share. */
    private long launcherKilobytes() throws IOException {
        long sum = 0;
        for (ProcessHandle child : ProcessHandle.current().children().toList()) {
            sum += kilobytes(Path.of("/proc", Long.toString(child.pid()), "smaps_rollup"), "Pss:");
        }
        return sum;
    }

    private static long kilobytes(Path file, String name) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .sum();
    }
}
