package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.store.StoredEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is printed of a living agent. */
class LivingAgentTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String MANIFEST = """
            name: alive
            agents: {dev: {command: [sh, dev.sh], output: %s%s}}
            retry: {backoff: {initial: 10ms, max: 20ms}, transient: {max: 1}}
            phases: [{name: work, task: dev}]
            """;

    @TempDir
    private Path folder;

    private Keeper keeper;

    @BeforeEach
    void start() throws Exception {
        keeper = new Keeper(folder.resolve("data"), folder.resolve("workspace"));
    }

    @AfterEach
    void close() {
        keeper.close();
    }

    @Test
    void theRunReportsWhatItsAgentDoesNow() throws Exception {
        keeper.script("dev.sh", """
                echo '{"type":"item.started","item":{"type":"command_execution","command":"make test"}}'
                while [ ! -e go ]; do sleep 0.1; done
                echo '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}'""");
        String run = keeper.start(MANIFEST.formatted("codex", ""));

        Awaitility.await()
                .atMost(SOON)
                .until(() -> keeper.get(run).path("activity").isObject());
        JsonNode activity = keeper.get(run).path("activity");
        Files.createFile(keeper.workspace().resolve("go"));

        assertThat(activity.path("text").asText()).isEqualTo("shell: make test");
        assertThat(activity.path("stepId").asText()).isEqualTo("work.dev.1");
        assertThat(keeper.until(run, "completed").path("activity").isObject()).isFalse();
    }

    @Test
    void anAgentWithoutItsProviderEndsIdleAndClimbsTheLadder() throws Exception {
        keeper.script("dev.sh", """
                while :; do
                  echo '{"type":"error","message":"Reconnecting... waiting for network"}'
                  sleep 0.02
                done""");
        String run = keeper.start(MANIFEST.formatted("codex", ", idleTimeout: 2s"));

        JsonNode paused = keeper.until(run, "paused", "stopped", "failed").path("pause");

        assertThat(paused.path("reason").asText()).isEqualTo("provider_unavailable");
        List<StoredEvent> events = keeper.events(run);
        assertThat(events)
                .filteredOn(event -> event.type().equals("step.started"))
                .hasSize(2);
        assertThat(events)
                .filteredOn(event -> event.type().equals("notice"))
                .extracting(event -> event.data().path("code").asText())
                .contains("agent-retrying");
        JsonNode error = events.stream()
                .filter(event -> event.type().equals("step.finished"))
                .findFirst()
                .orElseThrow()
                .data()
                .at("/result/errorContext");
        assertThat(error.path("category").asText()).isEqualTo("network");
        assertThat(error.path("stopReason").asText()).isEqualTo("idle");
    }
}
