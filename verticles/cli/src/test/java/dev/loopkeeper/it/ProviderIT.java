package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.ServedNode;
import dev.loopkeeper.cli.Terminal;
import dev.loopkeeper.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Providers that refuse, with agents that print what real ones print then. */
@Execution(ExecutionMode.CONCURRENT)
class ProviderIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String RATE_LIMIT = """
            {"type":"result","subtype":"success","is_error":true,"result":"API Error: 429 rate limit exceeded, \
            please try again in %s","api_error_status":429,"total_cost_usd":0.5,"num_turns":1}""";
    private static final String SUCCESS =
            "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"total_cost_usd\":0.25,\"num_turns\":1}";
    private static final String MANIFEST = """
            name: away
            agents:
              dev: {command: ./dev.sh, output: claude-code%s}
              cheap: {command: ./cheap.sh, output: claude-code}
            phases: [{name: work, task: dev}]
            retry: {backoff: {initial: 10ms, max: 50ms}, transient: {%s}}
            """;

    @TempDir
    private Path folder;

    private Agents agents;
    private Optional<Program> killed = Optional.empty();
    private Optional<ServedNode> server = Optional.empty();

    private Api serve() {
        server = Optional.of(new ServedNode(agents.data()));
        return Api.of(server.get());
    }

    /** In a process of its own. */
    private Api serveToBeKilled() throws Exception {
        killed = Optional.of(Program.serve(folder, agents.data()));
        return Api.of(killed.get());
    }

    /** The server that follows the killed one. */
    private Api killAndServe() throws Exception {
        killed.orElseThrow().kill();
        return serve();
    }

    @BeforeEach
    void enter() throws Exception {
        agents = new Agents(folder);
        agents.script("cheap", prints(SUCCESS, 0));
    }

    @AfterEach
    void endServers() {
        server.ifPresent(ServedNode::close);
        killed.ifPresent(Program::close);
    }

    private static String prints(String record, int code) {
        return "echo '" + record + "'\nexit " + code + "\n";
    }

    /** Fails so the first {@code times} launches, then succeeds. */
    private static String failing(int times, String record) {
        return "if [ $n -le " + times + " ]; then\n" + prints(record, 1) + "fi\n" + prints(SUCCESS, 0);
    }

    private static void assertRetriedWhenDue(List<JsonNode> events) {
        JsonNode retrying = Agents.of(events, "step.retrying").get(0);
        Instant due = Instant.parse(retrying.at("/data/dueAt").asText());
        JsonNode ended = Agents.of(events, "step.finished").get(0);
        assertThat(ended.at("/data/result/errorContext/retryAfterMs").asLong()).isEqualTo(2000);
        List<JsonNode> starts = Agents.of(events, "step.started");
        // The delay counts from when the agent said it, which is at some time between its start and its end.
        assertThat(due)
                .isBetween(
                        Agents.at(starts.get(0)).plusSeconds(2),
                        Agents.at(retrying).plusSeconds(2));
        assertThat(Agents.at(starts.get(1))).isAfterOrEqualTo(due);
        assertThat(Agents.of(events, "run.waiting")).hasSize(1);
    }

    @Test
    void aStatedDelayIsWaitedForAndTheRunSucceeds() throws Exception {
        agents.script("dev", failing(1, RATE_LIMIT.formatted("2s")));
        Api api = serve();
        String runId = api.submit(MANIFEST.formatted("", "max: 2"), folder);
        JsonNode run = api.until(runId, "completed", "stopped", "failed", "paused");
        assertThat(run.at("/status").asText()).isEqualTo("completed");
        assertThat(run.at("/usage/costUsd").asDouble()).isEqualTo(0.75);
        assertRetriedWhenDue(api.events(runId));
        assertThat(agents.launches("dev")).isEqualTo(2);
    }

    @Test
    void aStatedDelayHoldsAcrossARestart() throws Exception {
        agents.script("dev", failing(1, RATE_LIMIT.formatted("2s")));
        Api first = serveToBeKilled();
        String runId = first.submit(MANIFEST.formatted("", "max: 2"), folder);
        Awaitility.await()
                .atMost(SOON)
                .until(() -> !Agents.of(first.events(runId), "step.retrying").isEmpty());
        Api second = killAndServe();
        JsonNode run = second.until(runId, "completed", "stopped", "failed", "paused");
        assertThat(run.at("/status").asText()).isEqualTo("completed");
        assertRetriedWhenDue(second.events(runId));
        assertThat(agents.launches("dev")).isEqualTo(2);
    }

    @Test
    void triesTheFallbackAfterEightTriesThenPausesAndResumes() throws Exception {
        String overloaded = RATE_LIMIT
                .replace("429 rate limit exceeded, please try again in %s", "529 Overloaded")
                .replace("429", "529");
        agents.script("dev", failing(9, overloaded));
        agents.script(
                "cheap",
                "if [ $n -ge 9 ]; then\n" + prints(RATE_LIMIT.formatted("3s"), 1) + "fi\n" + prints(overloaded, 1));
        Api first = serveToBeKilled();
        String runId = first.submit(MANIFEST.formatted(", fallback: [cheap]", "max: 8"), folder);
        Awaitility.await()
                .atMost(SOON)
                .until(() -> !Agents.of(first.events(runId), "run.paused").isEmpty());
        JsonNode paused = Agents.of(first.events(runId), "run.paused").get(0);
        assertThat(paused.at("/data/pause/reason").asText()).isEqualTo("provider_unavailable");
        Instant back = Instant.parse(paused.at("/data/pause/resumeAt").asText());
        JsonNode steps = first.get("/runs/" + runId + "/steps").path("steps");
        JsonNode last = steps.path(steps.size() - 1);
        Instant started = Instant.parse(last.path("startedAt").asText());
        Instant ended = Instant.parse(last.path("endedAt").asText());
        assertThat(back).isBetween(started.plusSeconds(3), ended.plusSeconds(3));
        assertThat(List.of(agents.launches("dev"), agents.launches("cheap"))).containsExactly(9, 9);
        Api second = killAndServe();
        JsonNode run = second.until(runId, "completed", "stopped", "failed");
        assertThat(run.at("/status").asText()).isEqualTo("completed");
        JsonNode resumed = Agents.of(second.events(runId), "run.resumed").get(0);
        assertThat(resumed.at("/data/by").asText()).isEqualTo("timer");
        assertThat(Agents.at(resumed)).isAfterOrEqualTo(back);
        assertThat(agents.launches("dev")).isEqualTo(10);
    }

    /** It used to end with the exit code of a pause that a person must end, and no process was left to continue it. */
    @Test
    void theForegroundStaysUntilTheProviderIsBack() throws Exception {
        agents.script("dev", failing(1, RATE_LIMIT.formatted("1s")));
        Terminal.CommandOutput result = agents.run("away", MANIFEST.formatted("", "max: 0"));
        assertThat(result.out())
                .contains("paused: provider unavailable (provider_unavailable", "resumed: ", "is completed");
        assertThat(result.exitCode()).isZero();
        assertThat(agents.launches("dev")).isEqualTo(2);
    }

    @Test
    void aRunThatIsNotToWaitStaysPausedThroughARestart() throws Exception {
        agents.script("dev", failing(1, RATE_LIMIT.formatted("1s")));
        Api first = serveToBeKilled();
        String runId = first.submit(MANIFEST.formatted("", "max: 0, wait: never"), folder);
        JsonNode paused = first.until(runId, "paused", "completed", "stopped", "failed");
        assertThat(paused.at("/pause/reason").asText()).isEqualTo("provider_unavailable");
        assertThat(paused.at("/pause/resumeAt").isNull()).isTrue();
        Api second = killAndServe();
        // Until it is loaded nothing is known of its activity.
        Awaitility.await()
                .atMost(SOON)
                .untilAsserted(() -> assertThat(second.get("/runs/" + runId)).isEqualTo(paused));
        ObjectNode request = Json.MAPPER.createObjectNode().put("action", "retry_iteration");
        assertThat(second.post("/runs/" + runId + "/resume", request).status()).isEqualTo(202);
        assertThat(second.until(runId, "completed", "stopped", "failed")
                        .at("/status")
                        .asText())
                .isEqualTo("completed");
    }

    @Test
    void aRefusedKeyEndsTheRunAtOnce() throws Exception {
        agents.script(
                "dev",
                prints(
                        "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":true,\"api_error_status\":401,"
                                + "\"result\":\"Invalid API key\",\"total_cost_usd\":0}",
                        1));
        Terminal.CommandOutput refused = agents.run("refused", MANIFEST.formatted(", fallback: [cheap]", "max: 8"));
        assertThat(refused.exitCode()).isEqualTo(1);
        JsonNode run = agents.show("refused");
        assertThat(run.at("/termination/subtype").asText()).isEqualTo("error_provider_auth");
        assertThat(run.at("/termination/errorContext/kind").asText()).isEqualTo("auth");
        assertThat(run.at("/terminalExhaustion/reasonCode").asText()).isEqualTo("provider-auth");
        assertThat(List.of(agents.launches("dev"), agents.launches("cheap"))).containsExactly(1, 0);
        assertThat(agents.type("resume", "refused").exitCode()).isEqualTo(2);
        agents.script("dev", prints(SUCCESS, 0));
        assertThat(agents.type("resume", "refused", "--acknowledge").exitCode()).isZero();
    }
}
