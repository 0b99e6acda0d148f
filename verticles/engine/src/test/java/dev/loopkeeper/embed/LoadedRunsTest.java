package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.contract.LoadedRuns;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is seen of runs without asking for them. */
class LoadedRunsTest {
    private static final String SLEEPER = """
            name: sleeper
            agents: {dev: {command: [sleep, "600"]}}
            phases: [{name: only, task: dev}]
            """;

    @TempDir
    private Path folder;

    /** How long a run has been under way depends on when it is asked. */
    private static JsonNode timeless(String run) {
        try {
            ObjectNode object = (ObjectNode) Json.MAPPER.readTree(run);
            return object.without(List.of("activeMs", "activeSince"));
        } catch (JsonProcessingException broken) {
            throw new AssertionError(broken);
        }
    }

    @Test
    void loadsOpenRunsAndReleasesEndedOnes() throws IOException {
        try (Keeper keeper = new Keeper(folder.resolve("data"), folder.resolve("workspace"))) {
            LoadedRuns loaded = LoadedRuns.in(keeper.vertx());
            String runId = keeper.start(SLEEPER);
            JsonNode reported = keeper.get(runId);

            assertThat(loaded.find(runId)).hasValueSatisfying(run -> {
                assertThat(timeless(run.view().toString())).isEqualTo(timeless(reported.toString()));
                assertThat(run.state().sequence())
                        .isEqualTo(reported.path("sequence").asLong());
            });
            assertThat(keeper.stop(runId, true).refusal()).isEmpty();
            keeper.untilEnded(runId);

            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> loaded.find(runId).isEmpty());
            assertThat(keeper.get(runId).path("status").asText()).isEqualTo("stopped");
        }
    }

    @Test
    void twoEnginesInOneProcessDoNotSeeEachOthersRuns() throws IOException {
        try (Keeper one = new Keeper(folder.resolve("one"), folder.resolve("workspace"));
                Keeper other = new Keeper(folder.resolve("other"), folder.resolve("workspace"))) {
            String runId = one.start(SLEEPER);

            assertThat(LoadedRuns.in(one.vertx()).find(runId)).isPresent();
            assertThat(LoadedRuns.in(other.vertx()).find(runId)).isEmpty();
            assertThat(one.stop(runId, true).refusal()).isEmpty();
            one.untilEnded(runId);
        }
    }
}
