package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An agent that prints 30 MB as fast as it can, and one who follows its log: how long until the last byte came, how much
 * the server grew, and the worst answer of {@code /health/live} in the meantime, beside a program that reads the same output
 * from a pipe: {@code mvn -Pbench test -Dtest=FollowBenchmark -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class FollowBenchmark {
    private static final int ROUNDS = Integer.getInteger("loopkeeper.bench.rounds", 5);
    private static final long BYTES = 30_000_000;
    private static final String AGENT = "yes " + "0123456789".repeat(9) + " | head -c " + BYTES;

    @TempDir
    private Path folder;

    @Test
    void measuresALargeOutputWithAFollower() throws Exception {
        try (BenchServer server = BenchServer.start(folder)) {
            for (int round = 1; round <= ROUNDS; round++) {
                double bare = bare();
                double idle = worstAnswer(server, CompletableFuture.runAsync(() -> LockSupport.parkNanos(500_000_000)));
                long before = memoryKib(server, "Rss");
                long begun = System.nanoTime();
                CompletableFuture<Long> followed = CompletableFuture.supplyAsync(() -> {
                    String run = server.submit("""
                            name: loud
                            agents: {one: {command: "%s"}}
                            phases: [{name: work, task: one}]
                            """.formatted(AGENT));
                    server.untilStarted(run);
                    return server.follow(run, "work.one.1");
                });
                double worst = worstAnswer(server, followed);
                double millis = (System.nanoTime() - begun) / 1e6;
                long more = memoryKib(server, "Rss") - before;
                assertThat(followed.join()).isEqualTo(BYTES);
                // The last round's, when both are warm.
                BenchRows.measured(
                        BenchRows.Row.FOLLOWED,
                        BenchRows.figures("ms", millis) + ", " + BenchRows.figures("MiB", more / 1024.0) + ", "
                                + BenchRows.figures("ms", worst),
                        BenchRows.figures("ms", bare) + "; " + BenchRows.figures("ms", idle));
                System.out.printf(
                        Locale.ROOT,
                        "30 MB followed: %.0f ms, from a pipe %.0f ms; %d KiB more; worst answer %.1f ms, idle %.1f ms%n",
                        millis,
                        bare,
                        more,
                        worst,
                        idle);
            }
        }
    }

    /** In milliseconds, of all asked one after the other until this is over. */
    private static double worstAnswer(BenchServer server, CompletableFuture<?> until) {
        AtomicBoolean over = new AtomicBoolean();
        var unused = until.whenComplete((done, broken) -> over.set(true));
        long worst = 0;
        while (!over.get()) {
            long begun = System.nanoTime();
            server.live();
            worst = Math.max(worst, System.nanoTime() - begun);
            LockSupport.parkNanos(2_000_000);
        }
        return worst / 1e6;
    }

    private static double bare() throws IOException, InterruptedException {
        long begun = System.nanoTime();
        Process agent = new ProcessBuilder("/bin/sh", "-c", AGENT).start();
        try (InputStream out = agent.getInputStream()) {
            byte[] part = new byte[64 * 1024];
            long bytes = 0;
            for (int read = out.read(part); read >= 0; read = out.read(part)) {
                bytes += read;
            }
            assertThat(bytes).isEqualTo(BYTES);
        }
        agent.waitFor();
        return (System.nanoTime() - begun) / 1e6;
    }

    private static long memoryKib(BenchServer server, String what) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + server.pid() + "/smaps_rollup")).stream()
                .filter(line -> line.startsWith(what + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D+", "")))
                .findFirst()
                .orElseThrow();
    }
}
