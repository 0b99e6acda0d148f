package dev.loopkeeper.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.agent.AgentOutput;
import dev.loopkeeper.agent.ExitFacts;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.ErrorRules;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads a stream-json log while it grows, against copying the same file. {@code mvn -Pbench test} runs it;
 * {@code -Dloopkeeper.bench.megabytes=200} is the default size.
 */
class StepOutputBenchmark {
    private static final int MEGABYTES = Integer.getInteger("loopkeeper.bench.megabytes", 200);
    private static final int ROUNDS = 3;
    private static final int MEGABYTE = 1 << 20;

    @TempDir
    private Path folder;

    private long turns;

    @Test
    void measuresReadingAgainstCopying() throws Exception {
        Path log = folder.resolve("stdout.log");
        for (int round = 1; round <= ROUNDS; round++) {
            Files.deleteIfExists(log);
            OutputDialect dialect = OutputDialect.CLAUDE_CODE;
            StepOutput growing = new StepOutput(
                    folder,
                    dialect,
                    AgentOutput.reader(dialect, ErrorRules.builtIn()),
                    new Lingering(Optional.empty(), Clock.systemUTC(), () -> Instant.EPOCH),
                    Optional.empty(),
                    "");
            long before = usedMemory();
            double followed = follow(growing, log);
            long added = usedMemory() - before;
            assertThat(growing.finish(
                                    new ExitFacts(OptionalInt.of(0), Optional.empty(), Optional.empty()), Instant.EPOCH)
                            .usage()
                            .turns())
                    .hasValue(turns);
            double copied = seconds(() -> Files.copy(log, folder.resolve("copy.log")));
            Files.delete(folder.resolve("copy.log"));
            StepOutput whole = new StepOutput(
                    folder,
                    dialect,
                    AgentOutput.reader(dialect, ErrorRules.builtIn()),
                    new Lingering(Optional.empty(), Clock.systemUTC(), () -> Instant.EPOCH),
                    Optional.empty(),
                    "");
            double read = seconds(whole::soFar);
            System.out.printf(
                    Locale.ROOT,
                    "round %d: %d MB followed while written %.0f MB/s, read at rest %.0f MB/s, copied %.0f MB/s;"
                            + " reading takes %.2f of a copy; %.1f MB of memory added%n",
                    round,
                    MEGABYTES,
                    MEGABYTES / followed,
                    MEGABYTES / read,
                    MEGABYTES / copied,
                    read / copied,
                    added / (double) MEGABYTE);
        }
    }

    /** Writing and reading at once; over when both are. */
    private double follow(StepOutput output, Path log) throws Exception {
        return seconds(() -> {
            CompletableFuture<Long> written = CompletableFuture.supplyAsync(() -> write(log));
            while (!written.isDone()) {
                assertThat(output.soFar()).isNotNull();
            }
            turns = written.join();
            return output.soFar();
        });
    }

    /** Turns of a session: what the model said, the partial messages before, and what its tools answered. */
    private static long write(Path log) {
        long messages = 0;
        try (OutputStream out = Files.newOutputStream(log)) {
            long bytes = 0;
            while (bytes < (long) MEGABYTES * MEGABYTE) {
                byte[] turn = turn(messages++);
                out.write(turn);
                bytes += turn.length;
            }
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
        return messages;
    }

    private static byte[] turn(long number) {
        StringBuilder lines = new StringBuilder();
        for (int part = 0; part < 20; part++) {
            lines.append(
                            "{\"type\":\"stream_event\",\"event\":{\"type\":\"content_block_delta\",\"delta\":{\"text\":\"")
                    .append("word ".repeat(6))
                    .append("\"}},\"session_id\":\"s\"}\n");
        }
        lines.append("{\"type\":\"assistant\",\"message\":{\"id\":\"m")
                .append(number)
                .append("\",\"content\":[{\"type\":\"text\",\"text\":\"")
                .append("What the model says. ".repeat(60))
                .append("\"}],\"usage\":{\"input_tokens\":12,\"output_tokens\":300}},\"session_id\":\"s\"}\n")
                .append("{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"content\":\"")
                .append("what a tool answers\\n".repeat(200))
                .append("\"}]},\"session_id\":\"s\"}\n");
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }

    private interface Work {
        Object run() throws Exception;
    }

    private static double seconds(Work work) throws Exception {
        long start = System.nanoTime();
        assertThat(work.run()).isNotNull();
        return (System.nanoTime() - start) / 1e9;
    }

    private static long usedMemory() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
