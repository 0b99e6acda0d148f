package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.access.GatewayOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures that an operator reads first move with real runs: cost, pauses, retries, the queue, what was adopted. */
class OperatorMetricsTest {
    /** Lives until it may end, or until its folder is gone. */
    private static final String LONG = "echo $$ >>began; while [ -e long.sh ] && [ ! -e go ]; do sleep 0.05; done";

    @TempDir
    private Path folder;

    private Keeper keeper() throws IOException {
        Path data = folder.resolve("data");
        LoopkeeperOptions options =
                LoopkeeperOptions.of(data).maxRuns(1).with(new Gateway(GatewayOptions.loopback(0, data)));
        return new Keeper(data, folder.resolve("work"), options);
    }

    private static String start(Keeper keeper, String name, String agent) {
        String manifest = "name: " + name + "\nagents: {" + name + ": " + agent + "}\nphases: [{name: build, task: "
                + name + "}]\nretry: {backoff: {initial: 10ms, max: 50ms}}\n";
        WebApi.Answer run = WebApi.of(keeper).submit(manifest, keeper.workspace(), Map.of());
        assertThat(run.status()).as(run.text()).isEqualTo(201);
        return run.body().path("runId").asText();
    }

    private static void reports(Keeper keeper, String... patterns) {
        Awaitility.await().untilAsserted(() -> {
            String text = WebApi.of(keeper).get("/metrics").text();
            for (String pattern : patterns) {
                assertThat(text).containsPattern("(?m)^" + pattern + "$");
            }
        });
    }

    @Test
    void costTokensRetriesAndPausesMoveWithRuns() throws IOException {
        try (Keeper keeper = keeper()) {
            reports(keeper, "loopkeeper_step_retries_total 0\\.0", "loopkeeper_queue_length 0\\.0");
            keeper.script(
                    "costs.sh",
                    "echo '{\"verdict\":\"approved\",\"usage\":{\"costUsd\":0.5,\"inputTokens\":30,\"outputTokens\":10}}' >c.json");
            keeper.untilEnded(start(keeper, "costs", "{command: ./costs.sh, signal: c.json}"));
            keeper.script(
                    "fails.sh",
                    "[ ! -e failed ] || exit 0\ntouch failed\n" + "echo 'HTTP 503 Service Unavailable' >&2; exit 1");
            keeper.untilEnded(start(keeper, "fails", "{command: ./fails.sh}"));
            String silent = start(keeper, "silent", "{command: 'true', signal: s.json}");
            assertThat(keeper.until(silent, "paused").path("runId").asText()).isEqualTo(silent);
            reports(
                    keeper,
                    "loopkeeper_agent_cost_usd_total\\{agent=\"costs\"} 0\\.5",
                    "loopkeeper_agent_tokens_total\\{agent=\"costs\",kind=\"input\"} 30\\.0",
                    "loopkeeper_agent_tokens_total\\{agent=\"costs\",kind=\"output\"} 10\\.0",
                    "loopkeeper_step_retries_total 1\\.0",
                    "loopkeeper_runs\\{status=\"paused\"} 1\\.0",
                    "loopkeeper_paused_runs\\{reason=\"missing_signals\"} 1\\.0",
                    // Its age grows: above zero once it has been paused for a moment.
                    "loopkeeper_paused_oldest_seconds\\{reason=\"missing_signals\"} (0\\.\\d*[1-9]\\d*|[1-9].*)",
                    "loopkeeper_append_seconds_count [1-9].*",
                    "loopkeeper_store_bytes [1-9].*",
                    "loopkeeper_disk_free_bytes [1-9].*");
        }
    }

    @Test
    void theQueueMovesAndALivingAgentIsCountedAsAdopted() throws IOException {
        String first;
        String second;
        try (Keeper keeper = keeper()) {
            keeper.script("long.sh", LONG);
            keeper.script("short.sh", "exit 0");
            first = start(keeper, "long", "{command: ./long.sh, timeout: 10m}");
            Awaitility.await().until(() -> Files.exists(folder.resolve("work/began")));
            second = start(keeper, "short", "{command: ./short.sh}");
            reports(
                    keeper,
                    "loopkeeper_runs\\{status=\"queued\"} 1\\.0",
                    "loopkeeper_runs\\{status=\"running\"} 1\\.0",
                    "loopkeeper_queue_length 1\\.0",
                    "loopkeeper_queue_oldest_seconds (0\\.\\d*[1-9]\\d*|[1-9].*)",
                    "loopkeeper_steps_adopted_total 0\\.0");
        }
        try (Keeper keeper = keeper()) {
            reports(keeper, "loopkeeper_steps_adopted_total 1\\.0", "loopkeeper_queue_length 1\\.0");
            Files.createFile(folder.resolve("work/go"));
            keeper.untilEnded(first);
            keeper.untilEnded(second);
            reports(
                    keeper,
                    "loopkeeper_queue_length 0\\.0",
                    "loopkeeper_queue_oldest_seconds 0\\.0",
                    "loopkeeper_queue_wait_seconds_count [1-9].*",
                    "loopkeeper_runs_ended_total\\{status=\"completed\",termination=\"stop\"} 2\\.0");
            assertThat(Files.readAllLines(folder.resolve("work/began"))).hasSize(1);
        }
    }
}
