package dev.loopkeeper.embed;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.loopkeeper.manifest.SandboxSpec;
import dev.loopkeeper.process.SandboxMachine;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a step costs in {@code sandbox: workspace} beside the same without a sandbox, by turns: by Landlock alone, and with
 * bubblewrap where it is installed. Not part of the build, since figures are no test: {@code mvn -Pbench test}.
 */
class SandboxBenchmark {
    private static final String PROPERTY = "loopkeeper.bubblewrap";
    private static final int STEPS = 200;
    private static final int ROUNDS = 5;

    @TempDir
    private Path folder;

    @AfterEach
    void useBubblewrapAgain() {
        System.clearProperty(PROPERTY);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void measuresAStepInASandboxAgainstOneWithout(boolean mounts) throws Exception {
        if (!mounts) {
            System.setProperty(PROPERTY, "/bin/false");
        }
        SandboxMachine machine = SandboxMachine.near(folder);
        assumeTrue(machine.rungs().lacking(SandboxSpec.WORKSPACE).isEmpty(), "Landlock ABI 3 is required");
        assumeTrue(!mounts || machine.rungs().withoutBubblewrap().isEmpty(), "bubblewrap is required");
        try (Keeper keeper = new Keeper(folder.resolve("data"), folder.resolve("workspace"))) {
            double[] without = new double[ROUNDS];
            double[] with = new double[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                without[round] = stepMillis(keeper, "off");
                with[round] = stepMillis(keeper, "workspace");
            }
            Arrays.sort(without);
            Arrays.sort(with);
            System.out.printf(
                    Locale.ROOT,
                    "a step %.2f ms in %s, %.2f ms without a sandbox; medians of %d, quickest %.2f, %.2f%n",
                    with[ROUNDS / 2],
                    machine.rungs().name(),
                    without[ROUNDS / 2],
                    ROUNDS,
                    with[0],
                    without[0]);
        }
    }

    private static double stepMillis(Keeper keeper, String sandbox) {
        long start = System.nanoTime();
        keeper.untilEnded(keeper.start("""
                name: bench
                agents: {one: {command: ["true"], sandbox: %s}}
                retry: {stopConditions: {circuitBreaker: 0}}
                phases: [{name: loop, loop: {steps: [one], maxIterations: %d, until: iterations}}]
                """.formatted(sandbox, STEPS)));
        return (System.nanoTime() - start) / 1e6 / STEPS;
    }
}
