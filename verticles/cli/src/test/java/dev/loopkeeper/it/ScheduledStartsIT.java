package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.Terminal;
import dev.loopkeeper.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that are submitted now and start later, with a server that is killed in between. */
class ScheduledStartsIT {
    private static final String MANIFEST = """
            name: night
            agents: {dev: {command: ./dev.sh}}
            phases: [{name: only, task: dev}]
            """;

    @TempDir
    private Path folder;

    @Test
    void aRunStartsAtItsTimeAfterTheServerWasKilled() throws Exception {
        Agents agents = new Agents(folder);
        agents.script("dev", "exit 0");
        String manifest =
                Files.writeString(folder.resolve("loopkeeper.yaml"), MANIFEST).toString();
        try (Program server = Program.serve(folder, agents.data())) {
            Api.of(server);
            Terminal.CommandOutput refused = agents.type("submit", manifest, "--at", "at noon");
            assertThat(refused.exitCode()).as(refused.err()).isEqualTo(2);
            assertThat(refused.err()).contains("--at must be a time such as 22:00");
            Terminal.CommandOutput submitted = agents.type("submit", manifest, "--run-id", "n", "--at", "in 10m");
            assertThat(submitted.exitCode()).as(submitted.err()).isZero();
            server.kill();
        }
        try (Program server = Program.serve(folder, agents.data())) {
            startsAtItsTime(agents, Api.of(server));
        }
    }

    private static void startsAtItsTime(Agents agents, Api api) throws Exception {
        JsonNode waiting = api.get("/runs/n");
        assertThat(waiting.path("status").asText()).isEqualTo("queued");
        assertThat(Instant.parse(waiting.path("resumeAt").asText())).isAfter(Instant.now());
        assertThat(agents.type("show", "n").out()).contains("begins at ");
        Instant time = Instant.now().plusSeconds(2);
        JsonNode later = Json.MAPPER.createObjectNode().put("at", time.toString());
        assertThat(api.post("/runs/n/resume", later).body().path("status").asText())
                .isEqualTo("queued");

        JsonNode over = api.until("n", "completed");

        assertThat(Instant.parse(over.path("startedAt").asText())).isAfterOrEqualTo(time);
        assertThat(agents.launches("dev")).isEqualTo(1);
        JsonNode clock = Json.MAPPER.createObjectNode().put("at", "22:00");
        assertThat(api.post("/runs/n/pause", clock).status()).isEqualTo(400);
    }
}
