package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The OpenAPI document and the handlers say the same: what the one forbids the others refuse. */
class ContractTest {
    private static final String SPEC_PATHS = """
            post /runs
            get /runs
            get /runs/{runId}
            get /runs/{runId}/checkpoint
            get /runs/{runId}/events
            get /runs/{runId}/explain
            get /runs/{runId}/iterations
            get /runs/{runId}/items
            get /runs/{runId}/receipts
            get /runs/{runId}/export
            get /runs/{runId}/diff
            get /runs/{runId}/steps/{stepId}/diff
            post /runs/{runId}/stop
            post /runs/{runId}/end
            post /runs/{runId}/pause
            post /runs/{runId}/asks/{askId}
            post /runs/{runId}/resume
            get /runs/{runId}/steps
            get /runs/{runId}/steps/{stepId}
            get /runs/{runId}/steps/{stepId}/context
            get /runs/{runId}/steps/{stepId}/log
            get /session
            get /nodes
            get /policy
            put /policy
            get /caps
            get /pools
            post /pools/{name}/clear
            post /mcp
            get /schedules
            get /schedules/{name}
            post /schedules/{name}/fire
            post /hooks/{name}
            get /processes
            post /manifests/check
            post /processes/{runId}/{role}/kill
            post /processes/reap
            get /feed
            get /stream
            get /health/live
            get /health/ready
            get /metrics
            get /openapi.json
            get /
            """;

    /** What goes beyond the specification. */
    private static final String OWN_PATHS = """
            post /answers
            post /answers/question
            get /answer
            get /answer/{file}
            post /runs/prune
            post /runs/{runId}/merge
            post /runs/{runId}/steps/{stepId}/asks
            get /runs/{runId}/steps/{stepId}/asks/{askId}
            get /assets/{hash}/{file}
            get /assets/{hash}/directives/{file}
            """;

    private static final JsonObject NULL = new JsonObject().put("type", "null");

    @TempDir
    Path data;

    private final Contract contract = Contract.ofProgram();

    /** A request that is wrong in one way only. */
    private record InvalidRequest(String method, String path, String body, String named) {}

    private void eachOperation(BiConsumer<String, JsonObject> look) {
        JsonObject paths = contract.document().getJsonObject("paths");
        for (String path : paths.fieldNames()) {
            for (String method : List.of("get", "post", "put")) {
                if (paths.getJsonObject(path).containsKey(method)) {
                    look.accept(method + " " + path, paths.getJsonObject(path).getJsonObject(method));
                }
            }
        }
    }

    @Test
    void everyPathOfTheSpecificationIsThere() {
        List<String> operations = new ArrayList<>();
        eachOperation((name, operation) -> operations.add(name));
        assertThat(operations).containsExactlyInAnyOrder((SPEC_PATHS + OWN_PATHS).split("\n"));
    }

    @Test
    void everyExampleIsAsItsSchemaSays() {
        eachOperation((name, operation) -> {
            JsonObject answers = operation.getJsonObject("responses");
            answers.fieldNames().stream()
                    .filter(status -> status.startsWith("2"))
                    .forEach(status -> examples(contract.resolved(answers.getJsonObject(status)), name + " " + status));
            if (operation.containsKey("requestBody")) {
                examples(operation.getJsonObject("requestBody"), name + " body");
            }
        });
    }

    private void examples(JsonObject holder, String name) {
        JsonObject content = holder.getJsonObject("content", new JsonObject());
        for (String type : content.fieldNames()) {
            JsonObject media = content.getJsonObject(type);
            List<Object> shown = shown(media);
            assertThat(shown).as(name).isNotEmpty();
            if (type.endsWith("json")) {
                shown.forEach(each -> contract.valid(media.getJsonObject("schema"), each, name));
            }
        }
    }

    private List<Object> shown(JsonObject media) {
        List<Object> shown = new ArrayList<>();
        media.getJsonObject("examples", new JsonObject())
                .forEach(each -> shown.add(
                        contract.resolved((JsonObject) each.getValue()).getValue("value")));
        if (media.containsKey("example")) {
            shown.add(media.getValue("example"));
        }
        return shown;
    }

    @Test
    void whatTheDocumentForbidsIsRefusedWithItsPosition() {
        List<InvalidRequest> wrongs = new ArrayList<>();
        eachOperation((name, operation) -> {
            String method = name.split(" ", 2)[0].toUpperCase(Locale.ROOT);
            String path = name.split(" ", 2)[1].replace("{runId}", "run-1").replaceAll("\\{\\w+}", "dev");
            parameters(operation).forEach(parameter -> wrongs.addAll(queries(method, path, parameter)));
            // What a policy must be is said by its reader, with a code of its own; a message of MCP has no fixed
            // members.
            if (operation.containsKey("requestBody")
                    && !Set.of("/policy", "/mcp").contains(path)) {
                wrongs.addAll(bodies(path, operation.getJsonObject("requestBody")));
            }
        });
        assertThat(wrongs).hasSizeGreaterThan(80);
        try (GatewayFixture fixture = GatewayFixture.plain(data)) {
            fixture.scheduler.runs.put("run-1", TestRuns.run("run-1", "running"));
            wrongs.forEach(wrong -> refused(fixture, wrong));
            assertThat(fixture.scheduler.wasCommanded()).isFalse();
        }
    }

    private static void refused(GatewayFixture fixture, InvalidRequest wrong) {
        var request = fixture.request(HttpMethod.valueOf(wrong.method()), wrong.path());
        if (wrong.path().startsWith("/feed")) {
            request.putHeader("Upgrade", "websocket").putHeader("Connection", "Upgrade");
        }
        HttpResponse<Buffer> answer = GatewayFixture.soon(
                wrong.body().isEmpty()
                        ? request.send()
                        : request.putHeader("Content-Type", "application/json")
                                .sendBuffer(Buffer.buffer(wrong.body())));
        assertThat(answer.statusCode()).as(wrong + " " + answer.bodyAsString()).isEqualTo(400);
        JsonObject problem = new JsonObject(answer.bodyAsString());
        assertThat(problem.getString("code")).as(wrong.toString()).isEqualTo("invalid-request");
        assertThat(problem.getString("path")).as(wrong.toString()).isEqualTo(wrong.named());
    }

    private List<JsonObject> parameters(JsonObject operation) {
        return operation.getJsonArray("parameters", new JsonArray()).stream()
                .map(JsonObject.class::cast)
                .map(contract::resolved)
                .filter(parameter -> parameter.getString("in").equals("query"))
                .toList();
    }

    private List<InvalidRequest> queries(String method, String path, JsonObject parameter) {
        String name = parameter.getString("name");
        JsonObject schema = parameter.getJsonObject("schema");
        List<String> values = new ArrayList<>();
        JsonObject each = contract.resolved(schema.getJsonObject("items", schema));
        if (each.containsKey("enum") || each.containsKey("pattern") || !"string".equals(each.getString("type"))) {
            values.add("~none~");
        }
        values.addAll(beyond(schema));
        return values.stream()
                .map(value -> new InvalidRequest(method, path + "?" + name + "=" + value, "", name))
                .toList();
    }

    private static List<String> beyond(JsonObject schema) {
        List<String> values = new ArrayList<>();
        if (schema.containsKey("minimum")) {
            values.add(Long.toString(schema.getLong("minimum") - 1));
        }
        if (schema.containsKey("maximum")) {
            values.add(Long.toString(schema.getLong("maximum") + 1));
        }
        return values;
    }

    private List<InvalidRequest> bodies(String path, JsonObject requestBody) {
        String name = requestBody
                .getJsonObject("content")
                .getJsonObject("application/json")
                .getJsonObject("schema")
                .getString("$ref")
                .replaceFirst(".*/", "");
        JsonObject schema = contract.document()
                .getJsonObject("components")
                .getJsonObject("schemas")
                .getJsonObject(name);
        JsonObject right = new JsonObject();
        List<InvalidRequest> wrongs = new ArrayList<>();
        if (schema.containsKey("required")) {
            JsonArray required = schema.getJsonArray("required");
            required.forEach(each -> right.put((String) each, each.equals("manifest") ? new JsonObject() : "text"));
            wrongs.add(new InvalidRequest("POST", path, "{}", required.getString(0)));
        }
        members(
                schema,
                "",
                (field, value) -> wrongs.add(new InvalidRequest("POST", path, set(right, field, value), field)));
        return wrongs;
    }

    /** Each member with values that its schema forbids, and a name that is not quite one. */
    private void members(JsonObject schema, String prefix, BiConsumer<String, Object> wrong) {
        JsonObject properties = schema.getJsonObject("properties");
        for (String name : properties.fieldNames()) {
            JsonObject member = member(properties.getJsonObject(name));
            wrong.accept(prefix + name, ofOtherType(member));
            wrong.accept(prefix + name + "x", true);
            beyond(member).forEach(number -> wrong.accept(prefix + name, Long.valueOf(number)));
            if (member.containsKey("pattern")) {
                wrong.accept(prefix + name, "../~");
            }
            if (member.containsKey("properties")) {
                members(member, prefix + name + ".", wrong);
            }
        }
    }

    /** The schema of a member that may be null is that of the value. */
    private JsonObject member(JsonObject schema) {
        return schema.getJsonArray("oneOf", new JsonArray()).stream()
                .map(JsonObject.class::cast)
                .filter(one -> !schema.containsKey("type")
                        && schema.getJsonArray("oneOf").contains(NULL)
                        && !one.equals(NULL))
                .map(contract::resolved)
                .findFirst()
                .orElseGet(() -> contract.resolved(schema));
    }

    private static Object ofOtherType(JsonObject member) {
        String types = String.valueOf(member.getValue("type"));
        return types.contains("boolean") || types.contains("integer") || types.contains("number") ? "x" : 7;
    }

    private static String set(JsonObject right, String path, Object value) {
        JsonObject body = right.copy();
        String[] names = path.split("\\.", 2);
        Object inner = names.length == 1 ? value : new JsonObject().put(names[1], value);
        return body.put(names[0], inner).encode();
    }
}
