package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.submit.Submissions;
import dev.loopkeeper.work.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code POST /manifests/check} with the checks of a real submit behind it. */
class ManifestCheckTest {
    private static final String RIGHT = """
            name: demo
            agents:
              dev: {command: [/bin/true], timeout: 1m}
            phases:
              - {name: build, task: dev}
            """;

    @TempDir
    Path data;

    private GatewayFixture fixture;

    @BeforeEach
    void open() {
        fixture = GatewayFixture.plain(data);
        Submissions submissions = Submissions.on(fixture.vertx, Workers.of(fixture.vertx, "check", 1), Map.of());
        fixture.intake = submissions::fromDocument;
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private JsonNode check(JsonNode manifest) {
        ObjectNode body = Json.MAPPER.createObjectNode().put("workspace", data.toString());
        body.set("manifest", manifest);
        var answer = fixture.post("/manifests/check", body.toString());
        assertThat(answer.statusCode()).as(answer.bodyAsString()).isEqualTo(200);
        assertThat(fixture.scheduler.wasCommanded()).isFalse();
        return GatewayFixture.json(answer);
    }

    private JsonNode check(String manifest) {
        return check(Json.MAPPER.getNodeFactory().textNode(manifest));
    }

    private static JsonNode error(JsonNode found, String path) {
        for (JsonNode error : found.path("errors")) {
            if (error.path("path").asText().equals(path)) {
                return error;
            }
        }
        throw new AssertionError("no error at " + path + ": " + found);
    }

    @Test
    void aRightManifestHasNoErrors() {
        assertThat(check(RIGHT).path("errors")).isEmpty();
    }

    @Test
    void anUnknownKeyIsReportedWithItsPositionAndTheNearestOne() {
        JsonNode error = error(check(RIGHT.replace("task:", "taks:")), "phases[0].taks");

        assertThat(error.path("line").asInt()).isEqualTo(5);
        assertThat(error.path("column").asInt()).isEqualTo(19);
        assertThat(error.path("suggestion").asText()).isEqualTo("task");
    }

    @Test
    void aTextThatIsNoYamlIsReportedWithItsLine() {
        JsonNode error = check(RIGHT.replace("[/bin/true]", "[/bin/true")).at("/errors/0");
        assertThat(error.path("line").asInt()).isEqualTo(3);
        assertThat(error.path("column").asInt()).isPositive();

        assertThat(check("name: demo\n\u0007\n").at("/errors/0/line").asInt()).isEqualTo(2);
        assertThat(check("name: demo\nname: demo\n").at("/errors/0/line").asInt())
                .isEqualTo(2);
    }

    @Test
    void anObjectHasNoLines() throws IOException {
        JsonNode found = check(Json.MAPPER.readTree("{\"name\": \"demo\", \"phasses\": []}"));

        JsonNode error = error(found, "phasses");
        assertThat(error.has("line")).isFalse();
        assertThat(error.has("column")).isFalse();
    }

    @Test
    void whatIsOddButAllowedIsAWarning() {
        JsonNode found = check(RIGHT.replace(", timeout: 1m", ""));

        assertThat(found.path("errors")).isEmpty();
        assertThat(found.path("warnings")).isNotEmpty();
    }
}
