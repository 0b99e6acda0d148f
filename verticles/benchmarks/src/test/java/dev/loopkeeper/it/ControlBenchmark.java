package dev.loopkeeper.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Submits, starts and stops through the running server, over HTTP: {@code mvn -Pbench test -Dtest=ControlBenchmark
 * -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class ControlBenchmark {
    private static final int ROUNDS = 15;
    private static final int AT_ONCE = 8;
    private static final int ROUNDS_OF_REQUESTS = 40;
    private static final int EARLY = 40;
    private static final int MANY = 200;
    private static final int GRACE_MILLIS = 300;
    private static final long BETWEEN_LOOKS_NANOS = 100_000;
    private static final Duration SOON = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    /** Null when it could not be started. */
    private BenchServer server;

    @BeforeEach
    void startWarm() throws IOException {
        server = BenchServer.start(folder);
        for (int run = 0; run < 30; run++) {
            server.untilEnded(server.submit(task("true")));
        }
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static String task(String command) {
        return """
                name: bench
                agents: {one: {command: "%s", stop: {grace: %dms}}}
                phases: [{name: work, task: one}]
                """.formatted(command, GRACE_MILLIS);
    }

    @Test
    void measuresAStop() throws Exception {
        stops(BenchRows.Row.STOP_POLITE, "a polite tree", "sleep 300 & echo $! > tree; mv tree ready; wait", 0);
        stops(
                BenchRows.Row.STOP_DEAF,
                "one that ignores TERM, beyond its grace",
                "trap '' TERM; sleep 300 & echo $! > tree; mv tree ready; while :; do sleep 1; done",
                GRACE_MILLIS);
    }

    private void stops(BenchRows.Row row, String what, String command, int grace) throws Exception {
        List<Double> gone = new ArrayList<>();
        List<Double> answered = new ArrayList<>();
        List<Double> bare = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            String runId = server.submit(task(command));
            Path tree = Path.of("/proc", pidOfTree());
            long begun = System.nanoTime();
            CompletableFuture<Void> answer = CompletableFuture.runAsync(() -> {
                server.post("/runs/" + runId + "/stop?wait=30s", "{}");
                answered.add((System.nanoTime() - begun) / 1e6 - grace);
            });
            gone.add(millisUntilGone(tree, begun) - grace);
            answer.join();
            bare.add(bareStop());
        }
        System.out.printf(
                Locale.ROOT,
                "stop of %s, median of %d: tree gone %.1f ms, answered as verified %.1f ms; a bare kill of a shell and its"
                        + " child %.1f ms%n",
                what,
                ROUNDS,
                median(gone),
                median(answered),
                median(bare));
        BenchRows.measured(
                row, BenchRows.figures("ms", median(gone), median(answered)), BenchRows.figures("ms", median(bare)));
    }

    private String pidOfTree() throws IOException {
        Path ready = server.workspace().resolve("ready");
        Awaitility.await().atMost(SOON).pollInterval(Duration.ofMillis(2)).until(() -> Files.exists(ready));
        String pid = Files.readString(ready).strip();
        Files.delete(ready);
        return pid;
    }

    /** Looks ten times a millisecond: without a rest it would take one of few processors from what it measures. */
    private static double millisUntilGone(Path process, long begun) {
        while (lives(process)) {
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
        return (System.nanoTime() - begun) / 1e6;
    }

    /** Not when only its parent has still to be notified of its end. */
    private static boolean lives(Path process) {
        try {
            return !Files.readString(process.resolve("stat")).contains(") Z ");
        } catch (IOException gone) {
            return false;
        }
    }

    private double bareStop() throws IOException, InterruptedException {
        Process tree = new ProcessBuilder(
                        "setsid", "/bin/sh", "-c", "sleep 300 & echo $! > bare; mv bare bare-ready; wait")
                .directory(folder.toFile())
                .start();
        Path ready = folder.resolve("bare-ready");
        Awaitility.await().atMost(SOON).pollInterval(Duration.ofMillis(2)).until(() -> Files.exists(ready));
        Path child = Path.of("/proc", Files.readString(ready).strip());
        Files.delete(ready);
        long begun = System.nanoTime();
        new ProcessBuilder("kill", "--", "-" + tree.pid()).start();
        double millis = millisUntilGone(child, begun);
        tree.waitFor();
        return millis;
    }

    @Test
    void measuresManyIdleChildrenOfOnePhase() throws Exception {
        String items = String.join(
                ", ",
                IntStream.range(0, MANY).mapToObj(item -> "{id: i" + item + "}").toList());
        double before = proportionalMebibytes(server.pid());
        long begun = System.nanoTime();
        String runId = server.submit("""
                name: idle
                agents: {one: {command: ": > ready.$LOOPKEEPER_ITEM; exec sleep 300"}}
                retry: {stopConditions: {circuitBreaker: 0}}
                phases: [{name: all, each: {steps: [one], concurrency: %d, items: [%s]}}]
                """.formatted(MANY, items));
        untilReady();
        double started = (System.nanoTime() - begun) / 1e6;
        double runtime = proportionalMebibytes(server.pid());
        double launchers = 0;
        for (ProcessHandle child :
                ProcessHandle.of(server.pid()).orElseThrow().children().toList()) {
            launchers += proportionalMebibytes(child.pid());
        }
        begun = System.nanoTime();
        server.post("/runs/" + runId + "/stop?wait=30s", "{}");
        double stopped = (System.nanoTime() - begun) / 1e6;
        double bare = bareLaunches();
        BenchRows.measured(
                BenchRows.Row.MANY_CHILDREN, BenchRows.figures("ms", started, stopped), BenchRows.figures("ms", bare));
        BenchRows.measured(
                BenchRows.Row.MEMORY, BenchRows.figures("MiB", runtime, launchers), BenchRows.figures("MiB", before));
        System.out.printf(
                Locale.ROOT,
                "%d idle children of one phase: started %.0f ms, stopped and verified %.0f ms; the server %.0f MiB (before"
                        + " them %.0f), launchers %.1f MiB; bare launches %.0f ms%n",
                MANY,
                started,
                stopped,
                runtime,
                before,
                launchers,
                bare);
    }

    @Test
    void measuresManyRunsOfOneStep() throws Exception {
        long begun = System.nanoTime();
        List<String> runs = IntStream.range(0, MANY)
                .mapToObj(run -> server.submit(task(": > ready.$LOOPKEEPER_RUN_ID; exec sleep 300")))
                .toList();
        untilReady();
        double started = (System.nanoTime() - begun) / 1e6;
        begun = System.nanoTime();
        List<CompletableFuture<Void>> stops = runs.stream()
                .map(run -> CompletableFuture.runAsync(() -> server.post("/runs/" + run + "/stop", "{}")))
                .toList();
        stops.forEach(CompletableFuture::join);
        long ended = runs.stream().mapToLong(server::untilEnded).max().orElseThrow();
        double stopped = (ended - begun) / 1e6;
        double bare = bareLaunches();
        BenchRows.measured(
                BenchRows.Row.MANY_RUNS, BenchRows.figures("ms", started, stopped), BenchRows.figures("ms", bare));
        System.out.printf(
                Locale.ROOT,
                "%d runs of one step: submitted one after the other and started %.0f ms, all stopped %.0f ms; bare launches"
                        + " %.0f ms%n",
                MANY,
                started,
                stopped,
                bare);
    }

    @Test
    void measuresRequestsThatChangeSomething() {
        List<Double> posts = new ArrayList<>();
        List<Double> stops = new ArrayList<>();
        List<Double> bare = new ArrayList<>();
        for (int round = 0; round < ROUNDS_OF_REQUESTS; round++) {
            List<String> runs = new ArrayList<>();
            for (int run = 0; run < AT_ONCE; run++) {
                long begun = System.nanoTime();
                runs.add(server.submit(task("exec sleep 300")));
                posts.add((System.nanoTime() - begun) / 1e6);
                begun = System.nanoTime();
                server.live();
                bare.add((System.nanoTime() - begun) / 1e6);
            }
            runs.forEach(server::untilStarted);
            List<CompletableFuture<Void>> eight = runs.stream()
                    .map(run -> CompletableFuture.runAsync(() -> {
                        long begun = System.nanoTime();
                        server.post("/runs/" + run + "/stop", "{}");
                        synchronized (stops) {
                            stops.add((System.nanoTime() - begun) / 1e6);
                        }
                    }))
                    .toList();
            eight.forEach(CompletableFuture::join);
            runs.forEach(server::untilEnded);
        }
        double[] asked = {early(posts), late(posts), early(stops), late(stops)};
        System.out.printf(
                Locale.ROOT,
                "POST /runs one after the other, the first %d %.1f ms, the last of %d %.1f ms; POST stop %d at once %.1f, %.1f ms;"
                        + " GET /health/live %.1f, %.1f ms%n",
                EARLY,
                asked[0],
                posts.size(),
                asked[1],
                AT_ONCE,
                asked[2],
                asked[3],
                early(bare),
                late(bare));
        BenchRows.measured(
                BenchRows.Row.REQUESTS,
                BenchRows.figures("ms", asked),
                BenchRows.figures("ms", early(bare), late(bare)));
    }

    private static double early(List<Double> values) {
        return median(values.subList(0, EARLY));
    }

    private static double late(List<Double> values) {
        return median(values.subList(values.size() - EARLY, values.size()));
    }

    private void untilReady() {
        Awaitility.await().atMost(SOON).pollInterval(Duration.ofMillis(5)).until(() -> ready() == MANY);
    }

    private long ready() throws IOException {
        try (Stream<Path> files = Files.list(server.workspace())) {
            return files.filter(file -> file.getFileName().toString().startsWith("ready."))
                    .count();
        }
    }

    private double bareLaunches() throws IOException {
        List<Process> children = new ArrayList<>();
        long begun = System.nanoTime();
        for (int child = 0; child < MANY; child++) {
            children.add(new ProcessBuilder("sleep", "300").start());
        }
        double millis = (System.nanoTime() - begun) / 1e6;
        children.forEach(Process::destroyForcibly);
        children.forEach(child -> child.onExit().join());
        return millis;
    }

    private static double proportionalMebibytes(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid), "smaps_rollup")).stream()
                .filter(line -> line.startsWith("Pss:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024)
                .sum();
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
