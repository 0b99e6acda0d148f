package dev.loopkeeper.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;

/** Asks nodes over HTTP, as people do. */
final class ServeClient {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final HttpClient client;

    ServeClient(HttpClient client) {
        this.client = client;
    }

    /** The id of the new run. */
    String submit(ServeNode node, String manifest, Path workspace) throws IOException, InterruptedException {
        String body = Json.MAPPER
                .createObjectNode()
                .put("manifest", manifest)
                .put("workspace", workspace.toString())
                .toString();
        return post(node, "/runs", body).path("runId").asText();
    }

    /** At once, on whatever node the run is. */
    void stop(ServeNode node, String runId) throws IOException, InterruptedException {
        JsonNode answer = post(node, "/runs/" + runId + "/stop", "{\"now\": true}");
        assertThat(answer.path("runId").asText()).isEqualTo(runId);
    }

    private JsonNode post(ServeNode node, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(node.url().orElseThrow() + "/api/v1" + path))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 202);
        return Json.MAPPER.readTree(answer.body());
    }
}
