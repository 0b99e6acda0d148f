package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.gateway.access.AllowedWorkspaces;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.gateway.feed.Feed;
import dev.loopkeeper.gateway.feed.LiveEvents;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.MemoryStore;
import dev.loopkeeper.submit.AllowedFolders;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenApiTest {
    @TempDir
    Path data;

    private static JsonNode document() throws IOException {
        return Json.MAPPER.readTree(PageAssets.text("openapi.json"));
    }

    @Test
    void everyOperationIsInTheDocumentAndNothingElse() throws IOException {
        Vertx vertx = Vertx.vertx();
        MemoryStore store = new MemoryStore(vertx);
        GatewayPorts ports = new GatewayPorts(store, (manifest, options) -> null, () -> false, 0);
        GatewayOptions options = GatewayOptions.loopback(0, data);
        Feed feed = new Feed(vertx, store, options.feed());
        Set<String> served = new TreeSet<>();
        LiveEvents events = new LiveEvents();
        new Endpoints(vertx, options, ports, events, feed, socket -> () -> {})
                .all(
                        new PageRoutes(),
                        new AllowedWorkspaces(AllowedFolders.ALL),
                        vertx.createSharedWorkerExecutor("exports"),
                        new RunWait(vertx, store, events))
                .forEach(endpoint -> served.add(endpoint.methods().get(0).name() + " " + endpoint.path() + " "
                        + new TreeSet<>(endpoint.parameters())));
        GatewayFixture.soon(vertx.close());
        Set<String> written = new TreeSet<>();
        JsonNode document = document();
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue().fieldNames().forEachRemaining(method -> {
                    if (!method.equals("servers")) {
                        written.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey() + " "
                                + queryParameters(document, path.getValue().path(method)));
                    }
                }));
        assertThat(written).isEqualTo(served);
    }

    private static Set<String> queryParameters(JsonNode document, JsonNode operation) {
        Set<String> names = new TreeSet<>();
        operation.path("parameters").forEach(listed -> {
            JsonNode parameter = listed.has("$ref")
                    ? document.at(listed.path("$ref").asText().substring(1))
                    : listed;
            if (parameter.path("in").asText().equals("query")) {
                names.add(parameter.path("name").asText());
            }
        });
        return names;
    }

    @Test
    void everyReferenceLeadsSomewhereAndEveryAnswerHasAnExample() throws IOException {
        JsonNode document = document();
        for (JsonNode reference : document.findValues("$ref")) {
            String pointer = reference.asText().substring(1);
            assertThat(document.at(pointer).isMissingNode()).as(pointer).isFalse();
        }
        for (JsonNode responses : document.findValues("responses")) {
            for (JsonNode content : responses.path("200").path("content")) {
                assertThat(content.has("example") || content.has("examples"))
                        .as(content.toString())
                        .isTrue();
            }
        }
    }

    @Test
    void theDocumentIsServedWithAndWithoutTheBaseAndThePageWithout() {
        try (GatewayFixture fixture = GatewayFixture.plain(data)) {
            for (String path : List.of("!/openapi.json", "/openapi.json")) {
                assertThat(GatewayFixture.json(fixture.get(path))
                                .path("openapi")
                                .asText())
                        .isEqualTo("3.1.0");
            }
            assertThat(fixture.get("!/").getHeader("Content-Type")).startsWith("text/html");
            assertThat(fixture.get("!/").bodyAsString()).contains("Loopkeeper");
        }
    }
}
