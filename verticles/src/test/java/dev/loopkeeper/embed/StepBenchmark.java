package dev.loopkeeper.embed;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a step costs beside a bare launch of the same program and two synced writes. Not part of the build, since
 * figures are no test: {@code mvn -Pbench test}.
 */
class StepBenchmark {
    private static final int STEPS = 100;
    private static final int ROUNDS = 3;

    @TempDir
    private Path folder;

    @Test
    void measuresAStepAgainstABareLaunchAndTwoSyncs() throws Exception {
        try (Keeper keeper = new Keeper(folder.resolve("data"), folder.resolve("workspace"))) {
            for (int round = 1; round <= ROUNDS; round++) {
                double step = stepMillis(keeper);
                double bare = bareMillis();
                double syncs = syncMillis();
                System.out.printf(
                        Locale.ROOT,
                        "round %d: a step %.2f ms; a bare launch %.2f ms and two syncs %.2f ms; ratio %.2f%n",
                        round,
                        step,
                        bare,
                        2 * syncs,
                        step / (bare + 2 * syncs));
            }
        }
    }

    private static double stepMillis(Keeper keeper) {
        long start = System.nanoTime();
        String runId = keeper.start("""
                name: bench
                agents: {one: {command: ["true"]}}
                retry: {stopConditions: {circuitBreaker: 0}}
                phases: [{name: loop, loop: {steps: [one], maxIterations: %d, until: iterations}}]
                """.formatted(STEPS));
        keeper.untilEnded(runId);
        return (System.nanoTime() - start) / 1e6 / STEPS;
    }

    private double bareMillis() throws IOException, InterruptedException {
        long start = System.nanoTime();
        for (int launch = 0; launch < STEPS; launch++) {
            int exit = new ProcessBuilder("true")
                    .redirectOutput(folder.resolve("bare.log").toFile())
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("exit " + exit);
            }
        }
        return (System.nanoTime() - start) / 1e6 / STEPS;
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
