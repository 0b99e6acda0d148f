package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.store.StoreChannels;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How often a run requires something to be durable: what must be before anything continues, and nothing else. */
class CommitsTest {
    private static final int ITERATIONS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private final List<Integer> commits = new CopyOnWriteArrayList<>();

    private Keeper keeper() throws IOException {
        Keeper keeper = new Keeper(folder.resolve("data"), folder.resolve("workspace"));
        Keeper.await(StoreChannels.SYNCED
                .listen(keeper.vertx().eventBus(), timed -> commits.add(timed.events()))
                .completion());
        return keeper;
    }

    private int committed() {
        return commits.stream().mapToInt(Integer::intValue).sum();
    }

    @Test
    void theEndOfAStepAndWhatFollowsFromItAreOneCommit() throws IOException {
        try (Keeper keeper = keeper()) {
            String runId = keeper.start("""
                    name: loop
                    agents: {dev: {command: ["true"]}, judge: {command: ["true"]}}
                    phases: [{name: build, loop: {maxIterations: %d, until: iterations, steps: [dev, judge]}}]
                    """.formatted(ITERATIONS));
            keeper.untilEnded(runId);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(committed())
                            .isEqualTo(keeper.events(runId).size()));

            assertThat(commits).hasSize(1 + 2 * ITERATIONS);
        }
    }

    @Test
    void aStopIsTwoCommitsTheRequestAndTheEnd() throws IOException {
        try (Keeper keeper = keeper()) {
            String runId = keeper.start("""
                    name: one
                    agents: {one: {command: [sleep, "600"]}}
                    phases: [{name: work, task: one}]
                    """);
            assertThat(keeper.stop(runId, true).refusal()).isEmpty();
            keeper.untilEnded(runId);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(committed())
                            .isEqualTo(keeper.events(runId).size()));

            assertThat(commits).hasSize(3);
        }
    }
}
