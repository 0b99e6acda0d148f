package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Model Context Protocol over HTTP. */
class McpRouteTest {
    private static final String READER = "reader-token-0123456789";
    private static final String WRITER = "writer-token-0123456789";
    private static final String LIST = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";

    /** The runs of the test's scheduler never stop. */
    private static final String STOP = "{\"runId\":\"run-1\",\"wait\":\"1ms\"}";

    @TempDir
    Path data;

    private static String call(String tool, String arguments) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\",\"arguments\":" + arguments + "}}";
    }

    private static List<String> names(JsonNode listed) {
        List<String> names = new ArrayList<>();
        listed.at("/result/tools").forEach(tool -> names.add(tool.path("name").asText()));
        return names;
    }

    @Test
    void answersMessagesWithoutASession() {
        try (GatewayFixture fixture = GatewayFixture.plain(data)) {
            fixture.scheduler.runs.put("run-1", TestRuns.run("run-1", "running"));
            JsonNode hello = GatewayFixture.json(
                    fixture.post(
                            "!/mcp",
                            "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
                                    + "\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}"));
            assertThat(hello.at("/result/protocolVersion").asText()).isEqualTo("2025-06-18");
            assertThat(fixture.post("!/mcp", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}")
                            .statusCode())
                    .isEqualTo(202);
            JsonNode listed = GatewayFixture.json(fixture.post("!/mcp", LIST));
            assertThat(names(listed)).contains("submit", "answer").doesNotContain("ask");
            assertThat(listed.toString()).doesNotContain("path of a manifest file");

            JsonNode shown = GatewayFixture.json(fixture.post("!/mcp", call("show", "{\"runId\":\"run-1\"}")));
            assertThat(shown.at("/result/structuredContent/runId").asText()).isEqualTo("run-1");
            JsonNode stopped = GatewayFixture.json(fixture.post("!/mcp", call("stop", STOP)));
            assertThat(stopped.at("/result/isError").asBoolean())
                    .as(stopped.toString())
                    .isFalse();
            JsonNode unknown = GatewayFixture.json(fixture.post("!/mcp", call("show", "{\"runId\":\"nope\"}")));
            assertThat(unknown.at("/result/isError").asBoolean()).isTrue();
            assertThat(unknown.at("/result/content/0/text").asText()).contains("nope");
        }
    }

    @Test
    void refusesWhatIsNoMessageAndOtherOriginsAndVersions() {
        try (GatewayFixture fixture = GatewayFixture.plain(data)) {
            assertThat(fixture.post("!/mcp", "no json").statusCode()).isEqualTo(400);
            assertThat(GatewayFixture.json(
                                    fixture.post("!/mcp", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\"}"))
                            .toString())
                    .contains("\"id\":7", "-32602");
            assertThat(fixture.get("!/mcp").statusCode()).isEqualTo(405);
            assertThat(fixture.post("!/mcp", LIST, Map.of("Origin", "https://elsewhere.example"))
                            .statusCode())
                    .isEqualTo(403);
            assertThat(fixture.post("!/mcp", LIST, Map.of("MCP-Protocol-Version", "1999-01-01"))
                            .statusCode())
                    .isEqualTo(400);
            assertThat(fixture.post("!/mcp", LIST, Map.of("MCP-Protocol-Version", "2025-11-25"))
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void aTokenThatMayOnlyReadGetsNoToolThatChangesSomething() throws IOException {
        Path tokens = Files.writeString(data.resolve("tokens"), READER + " read\n" + WRITER + " control alice\n");
        try (GatewayFixture fixture =
                new GatewayFixture(data, options -> options.on("127.0.0.1", Optional.of(tokens)))) {
            fixture.scheduler.runs.put("run-1", TestRuns.run("run-1", "running"));
            assertThat(fixture.post("!/mcp", LIST).statusCode()).isEqualTo(401);
            Map<String, String> reader = Map.of("Authorization", "Bearer " + READER);
            Map<String, String> writer = Map.of("Authorization", "Bearer " + WRITER);
            assertThat(names(GatewayFixture.json(fixture.post("!/mcp", LIST, reader))))
                    .containsExactly("runs", "show", "explain", "logs", "validate", "schedules");
            JsonNode refused = GatewayFixture.json(fixture.post("!/mcp", call("stop", STOP), reader));
            assertThat(refused.has("error")).as(refused.toString()).isTrue();
            JsonNode shown = GatewayFixture.json(fixture.post("!/mcp", call("show", "{\"runId\":\"run-1\"}"), reader));
            assertThat(shown.at("/result/structuredContent/runId").asText()).isEqualTo("run-1");
            JsonNode stopped = GatewayFixture.json(fixture.post("!/mcp", call("stop", STOP), writer));
            assertThat(stopped.at("/result/isError").asBoolean())
                    .as(stopped.toString())
                    .isFalse();
        }
    }
}
