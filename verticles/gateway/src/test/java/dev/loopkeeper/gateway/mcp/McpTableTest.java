package dev.loopkeeper.gateway.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The table of tools agrees with the OpenAPI document. */
class McpTableTest {
    private static JsonNode document() throws IOException {
        try (InputStream stream = McpTableTest.class.getResourceAsStream("/dev/loopkeeper/gateway/openapi.json")) {
            return Json.MAPPER.readTree(stream);
        }
    }

    private static JsonNode resolved(JsonNode document, JsonNode part) {
        return part.has("$ref") ? document.at(part.path("$ref").asText().substring(1)) : part;
    }

    @TestFactory
    List<DynamicTest> argumentsAndResultsAreThoseOfTheOperation() throws IOException {
        JsonNode document = document();
        return McpTable.tools().stream()
                .map(tool -> DynamicTest.dynamicTest(tool.name(), () -> compare(document, tool)))
                .toList();
    }

    private static void compare(JsonNode document, McpTool tool) {
        JsonNode operation = document.path("paths")
                .path(tool.row().path("path").asText().split("\\?", 2)[0])
                .path(tool.row().path("method").asText().toLowerCase(Locale.ROOT));
        assertThat(operation.isObject()).as("operation of " + tool.name()).isTrue();
        Set<String> accepted = new HashSet<>(Set.of("path"));
        operation
                .path("parameters")
                .forEach(parameter ->
                        accepted.add(resolved(document, parameter).path("name").asText()));
        JsonNode body = operation.at("/requestBody/content/application~1json/schema");
        resolved(document, body).path("properties").fieldNames().forEachRemaining(accepted::add);
        Set<String> taken = new HashSet<>();
        tool.row().at("/tool/inputSchema/properties").fieldNames().forEachRemaining(taken::add);
        assertThat(accepted).containsAll(taken);

        Set<String> answered = new HashSet<>(Set.of("truncated"));
        for (String status : List.of("200", "201", "202")) {
            collect(
                    document,
                    resolved(document, operation.path("responses").path(status))
                            .at("/content/application~1json/schema"),
                    answered);
        }
        Set<String> promised = new HashSet<>();
        tool.row().at("/tool/outputSchema/properties").fieldNames().forEachRemaining(promised::add);
        assertThat(answered).containsAll(promised);
    }

    /** Adds the properties of a schema and of those of which it consists. */
    private static void collect(JsonNode document, JsonNode part, Set<String> names) {
        JsonNode schema = resolved(document, part);
        schema.path("properties").fieldNames().forEachRemaining(names::add);
        for (String kinds : List.of("oneOf", "anyOf", "allOf")) {
            schema.path(kinds).forEach(kind -> collect(document, kind, names));
        }
    }

    @Test
    void hintsSayWhichToolsChangeSomething() {
        assertThat(McpTable.tools().stream().filter(McpTool::isReadOnly).map(McpTool::name))
                .containsExactly("runs", "show", "explain", "logs", "validate", "schedules");
        assertThat(McpTable.ofStep().stream().filter(McpTool::isReadOnly).map(McpTool::name))
                .containsExactly("context");
    }
}
