package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.ServedNode;
import dev.loopkeeper.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Caps on money, tokens, turns and time, with agents that print what they use while they run. */
@Execution(ExecutionMode.CONCURRENT)
class BudgetIT {
    /** Does not end on its own, and neither it nor its child minds a TERM. */
    private static final String SPENDER = """
            trap '' TERM
            sh -c 'trap "" TERM; while :; do sleep 0.1; done # %s' &
            i=0
            while :; do i=$((i + 1)); printf '%s\\n' $i; sleep 0.05; done
            """;

    private static final String TOKENS =
            "{\"type\":\"assistant\",\"message\":{\"id\":\"m%d\",\"usage\":{\"input_tokens\":900,\"output_tokens\":100}}}";
    private static final String DOLLARS =
            "{\"type\":\"step_finish\",\"part\":{\"reason\":\"tool-calls\",\"cost\":0.25,\"tokens\":{\"input\":10}}}%.0s";

    @TempDir
    private Path folder;

    private Agents agents;
    private ServedNode server;

    @BeforeEach
    void startServer() {
        agents = new Agents(folder);
        server = new ServedNode(agents.data());
    }

    @AfterEach
    void endServer() {
        server.close();
    }

    private static String manifest(String output, String budget) {
        return "name: spender\nagents: {dev: {command: ./dev.sh, output: " + output
                + ", stop: {grace: 300ms}}}\nphases: [{name: work, task: dev}, {name: more, task: dev}]\nbudget: "
                + budget
                + "\n";
    }

    private JsonNode spends(Api api, String output, String line, String budget) throws Exception {
        // Others on this machine may run the same test.
        String mark = "spends-" + UUID.randomUUID();
        agents.script("dev", SPENDER.formatted(mark, line));
        String runId = api.submit(manifest(output, budget), folder);
        JsonNode run = api.until(runId, "stopped", "failed", "completed", "paused");
        assertThat(run.at("/termination/subtype").asText()).isEqualTo("error_max_budget_usd");
        assertThat(run.at("/termination/reasonCode").asText()).isEqualTo("budget-exceeded");
        assertThat(run.at("/status").asText()).isEqualTo("stopped");
        assertThat(Processes.with(mark)).isEmpty();
        assertThat(Processes.stepsOf(runId)).isEmpty();
        assertThat(agents.launches("dev")).isEqualTo(1);
        List<JsonNode> events = api.events(runId);
        assertThat(Agents.of(events, "stop").get(0).at("/data/cause").asText()).isEqualTo("budget");
        assertThat(Agents.of(events, "budget.warning")).hasSize(1);
        JsonNode step = api.get("/runs/" + runId + "/steps").at("/steps/0");
        assertThat(step.at("/result/status").asText()).isEqualTo("cancelled");
        assertThat(api.get("/runs/" + runId + "/receipts")
                        .at("/receipts/0/outcome")
                        .asText())
                .isEqualTo("gone");
        return run;
    }

    @Test
    void aCapOnTokensEndsAStepThatIsStillAtWork() throws Exception {
        JsonNode run = spends(Api.of(server), "claude-code", TOKENS, "{tokens: 5000}");
        assertThat(run.at("/termination/summary").asText()).contains("tokens used, the token cap is 5000");
        assertThat(run.at("/usage/inputTokens").asLong()
                        + run.at("/usage/outputTokens").asLong())
                .isGreaterThanOrEqualTo(5000);
        assertThat(run.at("/termination/usage/inputTokens").asLong()).isGreaterThanOrEqualTo(4000);
        assertThat(run.at("/usage/costKnown").asBoolean()).isFalse();
    }

    @Test
    void aCapOnTimeEndsAStepThatSaysNothing() throws Exception {
        JsonNode run = spends(Api.of(server), "text", "", "{time: 2s}");
        assertThat(run.at("/termination/summary").asText()).contains("of active time used, the time cap is 2s");
        assertThat(run.at("/terminalExhaustion/qualifier").asText()).isEqualTo("time");
        assertThat(run.at("/limits/timeMs").asLong()).isEqualTo(2000);
        assertThat(run.at("/activeMs").asLong()).isGreaterThanOrEqualTo(2000);
    }

    @Test
    void aCapOnMoneyEndsAStepAndStaysUsedUpAfterARestart() throws Exception {
        server.close();
        try (Program killed = Program.serve(folder, agents.data())) {
            JsonNode run = spends(Api.of(killed), "opencode", DOLLARS, "{costUsd: 2}");
            killed.kill();
            staysUsedUp(run);
        }
    }

    private void staysUsedUp(JsonNode run) throws Exception {
        assertThat(run.at("/termination/summary").asText()).contains("used, the cost cap is $2.00");
        double spent = run.at("/termination/costUsd").asDouble();
        assertThat(spent)
                .isGreaterThanOrEqualTo(2)
                .isEqualTo(run.at("/usage/costUsd").asDouble());
        assertThat(run.at("/usage/costKnown").asBoolean()).isTrue();

        server = new ServedNode(agents.data());
        Api api = Api.of(server);
        String path = "/runs/" + run.at("/runId").asText();
        assertThat(api.get(path).at("/usage")).isEqualTo(run.at("/usage"));
        Api.Answer refused = api.post(path + "/resume", Json.MAPPER.createObjectNode());
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body().at("/missing/0").asText()).startsWith("a cost cap above $");
        agents.script("dev", "echo '{\"type\":\"step_finish\",\"part\":{\"reason\":\"stop\",\"cost\":0.5}}'\n");
        ObjectNode higher = Json.MAPPER.createObjectNode();
        higher.putObject("budget").put("costUsd", spent + 10);
        assertThat(api.post(path + "/resume", higher).status()).isEqualTo(202);
        JsonNode over = api.until(run.at("/runId").asText(), "completed", "stopped", "failed", "paused");
        assertThat(over.at("/status").asText()).isEqualTo("completed");
        assertThat(over.at("/usage/costUsd").asDouble()).isGreaterThanOrEqualTo(spent + 1);
    }

    @Test
    void aCostCapWarnsOfUnknownCostsAndATokenCapHolds() throws Exception {
        agents.script("dev", """
                echo '{"type":"turn.started"}'
                echo '{"type":"turn.completed","usage":{"input_tokens":300,"output_tokens":100}}'
                """);
        Api api = Api.of(server);
        String manifest = manifest("codex", "{costUsd: 1, tokens: 1000}")
                .replace("{name: more, task: dev}", "{name: more, loop: {steps: [dev], until: iterations}}");
        String runId = api.submit(manifest, folder);
        JsonNode run = api.until(runId, "completed", "stopped", "failed", "paused");
        assertThat(run.at("/termination/reasonCode").asText()).isEqualTo("budget-exceeded");
        assertThat(run.at("/termination/summary").asText()).contains("1200 tokens used, the token cap is 1000");
        assertThat(run.at("/usage/costUsd").isNull()).isTrue();
        assertThat(run.at("/usage/costKnown").asBoolean()).isFalse();
        assertThat(Agents.of(api.events(runId), "notice"))
                .extracting(event -> event.at("/data/once").asText())
                .containsExactly("budget-unreported:costUsd:dev");
        assertThat(Agents.of(api.events(runId), "budget.warning"))
                .extracting(event -> event.at("/data/part").asText())
                .containsExactly("tokens");
        assertThat(agents.launches("dev")).isEqualTo(3);
    }

    @Test
    void warnsOnceOverAllExecutionsAndCapsTurns() throws Exception {
        agents.script("dev", """
                echo '{"type":"result","subtype":"success","is_error":false,"num_turns":3,"total_cost_usd":0.5}'
                [ $n -ne 3 ] || sleep 600
                """);
        Api api = Api.of(server);
        String manifest = manifest("claude-code", "{turns: 12, warnAt: 0.5}")
                .replace("{name: more, task: dev}", "{name: more, loop: {steps: [dev], until: iterations}}");
        String runId = api.submit(manifest, folder);
        Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> agents.launches("dev") == 3);
        assertThat(api.post("/runs/" + runId + "/stop?wait=30s", Json.MAPPER.createObjectNode())
                        .body()
                        .at("/termination/reasonCode")
                        .asText())
                .isEqualTo("operator-stop");
        assertThat(api.post("/runs/" + runId + "/resume", Json.MAPPER.createObjectNode())
                        .status())
                .isEqualTo(202);
        JsonNode run = api.until(runId, "completed", "stopped", "failed", "paused");
        assertThat(run.at("/termination/summary").asText()).contains("12 turns used, the turn cap is 12");
        assertThat(Agents.of(api.events(runId), "budget.warning"))
                .extracting(event -> event.at("/data/part").asText())
                .containsExactly("turns");
        assertThat(run.at("/executions")).hasSize(2);
    }
}
