package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.Terminal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Caps and a server that is killed: each step costs $0.60, and each cap is reached by the first. */
@Execution(ExecutionMode.CONCURRENT)
class CapsIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String MANIFEST = """
            name: %s
            agents: {dev: {command: ./dev.sh, output: claude-code}}
            phases: [{name: one, task: dev}, {name: two, task: dev}]
            """;
    private static final String REPORT =
            "echo '{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"ok\","
                    + "\"total_cost_usd\":0.6,\"usage\":{\"input_tokens\":10,\"output_tokens\":5}}'";

    @TempDir
    private Path folder;

    private Agents agents;

    @BeforeEach
    void prepare() throws Exception {
        agents = new Agents(folder);
    }

    private void apply(String cap) throws Exception {
        Path policy = Files.writeString(folder.resolve("policy.yaml"), "caps: [{name: night, " + cap + "}]\n");
        Terminal.CommandOutput result = agents.type("apply", policy.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.err()).isEmpty();
    }

    private JsonNode cap() {
        return agents.type("caps", "--json").json().at("/caps/0");
    }

    @Test
    void aKillAtTheEndOfStepsNeitherLosesNorDoublesWhatTheyUsed() throws Exception {
        agents.script(
                "dev", "while [ ! -e go ]; do sleep 0.02; done; " + REPORT + "; touch \"ended.$LOOPKEEPER_RUN_ID\"");
        String one;
        String two;
        try (Program server = Program.serve(folder, agents.data())) {
            Api api = Api.of(server);
            apply("costUsd: 0.5, per: month");
            one = api.submit(MANIFEST.formatted("one"), folder);
            two = api.submit(MANIFEST.formatted("two"), folder);
            Awaitility.await().atMost(SOON).until(() -> agents.launches("dev") == 2);
            Files.createFile(folder.resolve("go"));
            Awaitility.await()
                    .atMost(SOON)
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> Files.exists(folder.resolve("ended." + one)));
            server.kill();
        }
        try (Program server = Program.serve(folder, agents.data())) {
            Api api = Api.of(server);
            api.until(one, "waiting");
            assertThat(api.until(two, "waiting").at("/waiting/reason").asText()).isEqualTo("cap");

            assertThat(cap().at("/costUsd/spent").asDouble()).isEqualTo(1.2);
            assertThat(cap().at("/tokens/spent").asInt()).isEqualTo(30);
            assertThat(cap().path("waitingRuns").asInt()).isEqualTo(2);
            assertThat(agents.launches("dev")).isEqualTo(2);
            assertThat(agents.type("explain", one).out())
                    .contains("waits for cap night until ", "loopkeeper apply ends the wait")
                    .doesNotContain("continue it now");
            assertThat(agents.type("runs").out()).contains("waits for cap night until ");
            server.kill();
        }
        assertThat(cap().at("/costUsd/spent").asDouble()).isEqualTo(1.2);
    }

    @Test
    void aCappedRunContinuesInTheNextWindowAfterARestart() throws Exception {
        agents.script("dev", "while [ ! -e go ]; do sleep 0.02; done; " + REPORT);
        Instant end;
        String run;
        try (Program server = Program.serve(folder, agents.data())) {
            Api api = Api.of(server);
            run = api.submit(MANIFEST.formatted("one"), folder);
            Awaitility.await().atMost(SOON).until(() -> agents.launches("dev") == 1);
            end = Instant.ofEpochSecond(Instant.now().plusSeconds(12).getEpochSecond());
            int rest = 3600 - end.atOffset(ZoneOffset.UTC).get(ChronoField.SECOND_OF_DAY) % 3600;
            apply("costUsd: 0.5, per: hour, zone: \"+" + LocalTime.ofSecondOfDay(rest % 3600) + "\"");
            Files.createFile(folder.resolve("go"));
            JsonNode waiting = api.until(run, "waiting");
            assertThat(Instant.parse(waiting.path("resumeAt").asText())).isEqualTo(end);
            server.kill();
        }
        try (Program server = Program.serve(folder, agents.data())) {
            Api api = Api.of(server);

            api.until(run, "completed");

            assertThat(Instant.parse(api.get("/runs/" + run + "/steps")
                            .at("/steps/1/startedAt")
                            .asText()))
                    .isAfterOrEqualTo(end);
            assertThat(Instant.parse(cap().path("windowStart").asText())).isEqualTo(end);
            assertThat(cap().at("/costUsd/spent").asDouble()).isEqualTo(0.6);
        }
    }
}
