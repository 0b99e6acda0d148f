package dev.loopkeeper.embed;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a step costs beside a bare launch of the same program and two synced writes, one after the other and many at once.
 * Not part of the build, since figures are no test: {@code mvn -Pbench test}.
 */
class StepBenchmark {
    private static final int STEPS = 200;
    private static final int ROUNDS = 4;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 50})
    void measuresAStepAgainstABareLaunchAndTwoSyncs(int atOnce) throws Exception {
        try (Keeper keeper = new Keeper(folder.resolve("data"), folder.resolve("workspace"))) {
            for (int round = 1; round <= ROUNDS; round++) {
                double step = stepMillis(keeper, atOnce);
                double bare = bareMillis(atOnce);
                double syncs = syncMillis();
                System.out.printf(
                        Locale.ROOT,
                        "%d at once, round %d: a step %.2f ms; a bare launch %.2f ms and two syncs %.2f ms; ratio %.2f%n",
                        atOnce,
                        round,
                        step,
                        bare,
                        2 * syncs,
                        step / (bare + 2 * syncs));
            }
        }
    }

    private static double stepMillis(Keeper keeper, int atOnce) {
        long start = System.nanoTime();
        keeper.untilEnded(keeper.start(atOnce == 1 ? oneAfterTheOther() : many(atOnce)));
        return (System.nanoTime() - start) / 1e6 / STEPS;
    }

    private static String oneAfterTheOther() {
        return """
                name: bench
                agents: {one: {command: ["true"]}}
                retry: {stopConditions: {circuitBreaker: 0}}
                phases: [{name: loop, loop: {steps: [one], maxIterations: %d, until: iterations}}]
                """.formatted(STEPS);
    }

    private static String many(int atOnce) {
        String items = IntStream.range(0, STEPS)
                .mapToObj(item -> "{id: i" + item + "}")
                .collect(Collectors.joining(", "));
        return """
                name: bench
                agents: {one: {command: ["true"]}}
                retry: {stopConditions: {circuitBreaker: 0}}
                phases: [{name: all, each: {steps: [one], concurrency: %d, items: [%s]}}]
                """.formatted(atOnce, items);
    }

    private double bareMillis(int atOnce) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(atOnce);
        long start = System.nanoTime();
        for (int launch = 0; launch < STEPS; launch++) {
            threads.execute(this::launch);
        }
        threads.shutdown();
        if (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("bare launches take for ever");
        }
        return (System.nanoTime() - start) / 1e6 / STEPS;
    }

    private void launch() {
        try {
            Path log = folder.resolve("bare-" + Thread.currentThread().getId() + ".log");
            int exit = new ProcessBuilder("true")
                    .redirectOutput(log.toFile())
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("exit " + exit);
            }
        } catch (IOException | InterruptedException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private double syncMillis() throws IOException {
        try (FileChannel file =
                FileChannel.open(folder.resolve("bare.sync"), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            long start = System.nanoTime();
            for (int write = 0; write < STEPS; write++) {
                file.write(ByteBuffer.allocate(300));
                file.force(false);
            }
            return (System.nanoTime() - start) / 1e6 / STEPS;
        }
    }
}
