package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.run.ResumeRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unusual input from agents, with real processes. */
class InputsOfAgentsTest {
    @TempDir
    private Path folder;

    private Keeper keeper() throws IOException {
        return new Keeper(folder.resolve("data"), folder.resolve("workspace"));
    }

    @Test
    void itemsAreThoseThatThePhaseBeforeWroteAndABadFilePauses() throws IOException {
        try (Keeper keeper = keeper()) {
            Path items = keeper.workspace().resolve("items.json");
            Files.writeString(items, "[{\"id\": \"old\"}]");
            String runId = keeper.start("""
                    name: planned
                    agents:
                      plan: {timeout: 30s, command: "echo '[{\\"id\\":\\"new1\\"},{\\"id\\":\\"new1\\"}]' >items.json"}
                      dev: {timeout: 30s, command: "echo $LOOPKEEPER_ITEM >>done.txt"}
                    phases: [{name: plan, task: plan}, {name: do, each: {itemsFrom: items.json, steps: [dev]}}]
                    """);

            JsonNode paused = keeper.until(runId, "paused", "completed", "failed");
            assertThat(paused.at("/pause/reason").asText()).isEqualTo("anomaly");
            assertThat(paused.at("/pause/message").asText())
                    .isEqualTo("the items of phase do cannot be read: " + items
                            + ":1:22: [1].id: the id \"new1\" is taken by an item above; ids are unique");

            Files.writeString(items, "[{\"id\": \"new1\"}, {\"id\": \"new2\"}]");
            assertThat(keeper.resume(runId, ResumeRequest.PLAIN).refusal()).isEmpty();
            keeper.until(runId, "completed", "paused", "failed");
            assertThat(keeper.workspace().resolve("done.txt")).hasContent("new1\nnew2\n");
        }
    }

    @Test
    void aSuccessHoldsThoughTheAgentHangsAndTruncatesItsLog() throws IOException {
        String result = "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"done\","
                + "\"total_cost_usd\":0.5}";
        try (Keeper keeper = keeper()) {
            Path log = folder.resolve("data/runs/hangs/steps/p.dev.1/stdout.log");
            // It continues once the first line was read.
            keeper.script("agent.sh", """
                    echo '{"type":"assistant","message":{"id":"m","usage":{"input_tokens":1,"output_tokens":2}}}'
                    while [ ! -e read ]; do echo waiting; sleep 0.05; done
                    echo 'hook' > /dev/stdout
                    printf '\\033]0;t\\007%s\\n' '""" + result + "'\nexec sleep 600");
            String runId = keeper.startAs("hangs", """
                    name: hangs
                    agents: {dev: {command: ./agent.sh, output: claude-code, idleTimeout: 2s}}
                    phases: [{name: p, task: dev}]
                    """);
            keeper.until(runId, "running");
            Awaitility.await()
                    .until(() -> keeper.events(runId).stream()
                            .anyMatch(event -> event.type().equals("step.usage")));
            Files.createFile(keeper.workspace().resolve("read"));

            JsonNode run = keeper.until(runId, "completed", "paused", "failed", "stopped");

            assertThat(run.path("status").asText()).isEqualTo("completed");
            assertThat(run.at("/usage/costUsd").asDouble()).isEqualTo(0.5);
            JsonNode step = keeper.steps(runId).get(0).path("result");
            assertThat(step.path("status").asText()).isEqualTo("completed");
            assertThat(step.at("/errorContext/category").asText()).isEqualTo("idle");
            assertThat(keeper.events(runId))
                    .anyMatch(event -> event.data().path("code").asText().equals("log-truncated"));
            assertThat(log).content().startsWith("hook\n");
        }
    }
}
