package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.access.GatewayOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of what is stopped, swept, paused and failed. */
class MeasuredStopTest {
    @TempDir
    private Path folder;

    private static String manifest(String name, String agent) {
        return "name: " + name + "\nagents: {dev: " + agent + "}\nphases: [{name: build, task: dev}]\n";
    }

    @Test
    void everyKindOfEndIsCounted() throws IOException {
        Path data = folder.resolve("data");
        LoopkeeperOptions options = LoopkeeperOptions.of(data).with(new Gateway(GatewayOptions.loopback(0, data)));
        try (Keeper keeper = new Keeper(data, folder.resolve("work"), options)) {
            keeper.script("long.sh", "exec sleep 600");
            keeper.script("litters.sh", "setsid sleep 600 & exit 0");
            keeper.script("fails.sh", "exit 3");
            WebApi api = WebApi.of(keeper);
            String stopped = start(api, keeper, "long", "{command: ./long.sh}");
            assertThat(keeper.until(stopped, "running").path("runId").asText()).isEqualTo(stopped);
            assertThat(keeper.stop(stopped, true).refusal()).isEmpty();
            keeper.untilEnded(stopped);
            keeper.untilEnded(start(api, keeper, "litters", "{command: ./litters.sh}"));
            keeper.untilEnded(start(api, keeper, "fails", "{command: ./fails.sh}"));
            String silent = start(api, keeper, "silent", "{command: 'true', signal: s.json}");
            assertThat(keeper.until(silent, "paused").path("runId").asText()).isEqualTo(silent);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(api.get("/metrics").text())
                            .contains("loopkeeper_runs_submitted_total 4.0", "loopkeeper_runs{status=\"paused\"} 1.0")
                            .contains(
                                    "loopkeeper_runs_ended_total{status=\"stopped\",termination=\"error_operator_stop\"} 1.0")
                            .contains(
                                    "loopkeeper_runs_ended_total{status=\"failed\",termination=\"error_critical_phase\"} 1.0")
                            .contains("loopkeeper_runs_ended_total{status=\"completed\",termination=\"stop\"} 1.0")
                            .contains("loopkeeper_steps_started_total 4.0", "loopkeeper_stop_seconds_count 1")
                            .contains("loopkeeper_sweeps_total 1.0", "loopkeeper_sweep_survivors_total 0.0")
                            .containsPattern("loopkeeper_swept_processes_total [1-9]")
                            .contains("loopkeeper_feed_lag_events 0.0", "loopkeeper_feed_lagged_total 0.0"));
        }
    }

    @Test
    void theSweepNamesWhatItEnded() throws IOException {
        try (Keeper keeper = new Keeper(folder.resolve("data"), folder.resolve("work"))) {
            keeper.script(
                    "litters.sh",
                    "setsid sleep 600 & echo $! >pid; until tr '\\0' ' ' </proc/$!/cmdline | grep -q '^sleep 600'; do :; done; exit 0");
            String runId = keeper.start(manifest("litters", "{command: ./litters.sh}"));
            keeper.untilEnded(runId);
            JsonNode swept = keeper.events(runId).stream()
                    .filter(event -> event.type().equals("step.swept"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no sweep among " + keeper.events(runId)))
                    .data();
            JsonNode process = swept.path("processes").path(0);
            assertThat(swept.path("count").asInt()).isEqualTo(1);
            assertThat(process.path("pid").asText())
                    .isEqualTo(
                            Files.readString(keeper.workspace().resolve("pid")).strip());
            assertThat(process.path("command").asText()).isEqualTo("sleep 600");
            assertThat(process.path("foundBy").asText()).isIn("nonce", "descendant", "cgroup");
        }
    }

    private static String start(WebApi api, Keeper keeper, String name, String agent) {
        WebApi.Answer run = api.submit(manifest(name, agent), keeper.workspace(), Map.of());
        assertThat(run.status()).as(run.text()).isEqualTo(201);
        return run.body().path("runId").asText();
    }
}
