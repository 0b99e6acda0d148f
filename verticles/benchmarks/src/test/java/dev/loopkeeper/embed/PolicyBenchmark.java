package dev.loopkeeper.embed;

import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoreChannels.PutPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a step costs with a pool and two caps in force, beside the same without a policy, by turns. Not part of the build,
 * since figures are no test: {@code mvn -Pbench test}.
 */
class PolicyBenchmark {
    private static final int STEPS = 200;
    private static final int ROUNDS = 5;
    private static final String POLICY = "{\"pools\": {\"shared\": {\"places\": 50}}, \"caps\": ["
            + "{\"name\": \"night\", \"costUsd\": 1000, \"per\": \"day\"},"
            + "{\"name\": \"month\", \"tokens\": 1000000000, \"per\": \"month\"}]}";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 20})
    void measuresAStepUnderAPolicyAgainstOneWithout(int runs) throws Exception {
        try (Keeper keeper = new Keeper(folder.resolve("data"), folder.resolve("workspace"))) {
            double[] without = new double[ROUNDS];
            double[] with = new double[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                apply(keeper, "{}");
                without[round] = stepMillis(keeper, runs, "");
                apply(keeper, POLICY);
                with[round] = stepMillis(keeper, runs, ", pool: shared");
            }
            Arrays.sort(without);
            Arrays.sort(with);
            System.out.printf(
                    Locale.ROOT,
                    "%d runs at once: a step %.2f ms with a pool and caps, %.2f ms without; medians of %d, quickest %.2f, %.2f%n",
                    runs,
                    with[ROUNDS / 2],
                    without[ROUNDS / 2],
                    ROUNDS,
                    with[0],
                    without[0]);
        }
    }

    private static void apply(Keeper keeper, String policy) throws Exception {
        Keeper.await(StoreChannels.PUT_POLICY.ask(
                keeper.vertx().eventBus(),
                new PutPolicy(Json.MAPPER.readTree(policy), OptionalLong.empty(), "a benchmark"),
                Duration.ofSeconds(30)));
    }

    private static double stepMillis(Keeper keeper, int runs, String pool) {
        String manifest = """
                name: bench
                agents: {one: {command: ["true"]%s}}
                retry: {stopConditions: {circuitBreaker: 0}}
                phases: [{name: loop, loop: {steps: [one], maxIterations: %d, until: iterations}}]
                """.formatted(pool, STEPS / runs);
        long start = System.nanoTime();
        IntStream.range(0, runs)
                .mapToObj(run -> keeper.start(manifest))
                .toList()
                .forEach(keeper::untilEnded);
        return (System.nanoTime() - start) / 1e6 / STEPS;
    }
}
