package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.termination.RefusalCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store is moved away under a running Loopkeeper, or written by another process. */
class LostStoreTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String SLEEPER = """
            name: sleeper
            agents: {dev: {command: [sleep, "600"]}}
            phases: [{name: only, task: dev}]
            """;

    @TempDir
    private Path folder;

    private Keeper keeper;
    private Path database;
    private Path moved;

    @BeforeEach
    void startKeeper() throws IOException {
        keeper = new Keeper(folder.resolve("data"), folder.resolve("workspace"));
        database = keeper.data().resolve("events.db");
        moved = folder.resolve("aside.db");
    }

    @AfterEach
    void closeKeeper() {
        keeper.close();
    }

    private long pidOf(String runId) {
        Awaitility.await()
                .atMost(SOON)
                .until(() -> keeper.steps(runId).path(0).path("pid").asLong() > 0);
        return keeper.steps(runId).path(0).path("pid").asLong();
    }

    @Test
    void aStopReachesTheAgentsThoughItCannotBeRecorded() throws IOException {
        String runId = keeper.start(SLEEPER);
        ProcessHandle agent = ProcessHandle.of(pidOf(runId)).orElseThrow();
        Files.move(database, moved);

        Refusal refused = keeper.stop(runId, true).refusal().orElseThrow();

        assertThat(refused.code()).isEqualTo(RefusalCode.STORE_UNAVAILABLE);
        assertThat(refused.message()).contains(database.toString(), "are being stopped", "restore the file");
        Awaitility.await().atMost(SOON).until(() -> !agent.isAlive());
        assertThat(keeper.get(runId).path("status").asText()).isEqualTo("running");
        assertThat(database).doesNotExist();

        Files.move(moved, database);

        JsonNode run = keeper.until(runId, "failed", "stopped", "completed", "paused");
        assertThat(run.at("/termination/subtype").asText()).isEqualTo("error_operator_stop");
        assertGapFree(keeper.events(runId));
    }

    @Test
    void aRunThatIsBehindItsOwnHistoryIsLoadedAgain() {
        String runId = keeper.start(SLEEPER);
        assertThat(pidOf(runId)).isPositive();
        long last = keeper.get(runId).path("sequence").asLong();
        JsonNode notice = Json.MAPPER.createObjectNode().put("code", "odd").put("message", "written by another");
        keeper.append(runId, last, "notice", notice);

        assertThat(keeper.stop(runId, true).refusal()).isPresent();

        Awaitility.await()
                .atMost(SOON)
                .until(() -> keeper.stop(runId, true).refusal().isEmpty());
        assertThat(keeper.until(runId, "stopped").at("/termination/subtype").asText())
                .isEqualTo("error_operator_stop");
        List<StoredEvent> events = keeper.events(runId);
        assertGapFree(events);
        assertThat(events.get((int) last).data().path("code").asText()).isEqualTo("odd");
        assertThat(events.stream().filter(event -> event.type().equals("step.started")))
                .hasSize(1);
    }

    private static void assertGapFree(List<StoredEvent> events) {
        assertThat(events.stream().map(StoredEvent::sequence))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, events.size()).boxed().toList());
    }
}
