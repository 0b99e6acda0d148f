package dev.loopkeeper.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.ServedNode;
import dev.loopkeeper.gateway.Contract;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/** A client that knows nothing of our code but the JSON library; it holds each answer against the OpenAPI document. */
final class Api {
    private static final Duration SOON = Duration.ofMinutes(3);

    private static final Contract CONTRACT = Contract.ofProgram();

    private final HttpClient client = HttpClient.newHttpClient();
    private final String url;

    Api(String url) {
        this.url = url + "/api/v1";
    }

    /** Waits for the line in which a server reports its address. */
    static Api of(Program server) {
        Awaitility.await().atMost(SOON).until(() -> server.firstLine().contains("http://") || !server.isAlive());
        String line = server.firstLine();
        return new Api(line.substring(line.indexOf("http://")).trim());
    }

    static Api of(ServedNode server) {
        return new Api(server.url());
    }

    JsonNode get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(url + path)).GET().build())
                .body();
    }

    /** An answer. */
    record Answer(int status, JsonNode body) {}

    Answer post(String path, JsonNode body) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(url + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                .build());
    }

    private Answer send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        CONTRACT.check(
                request.method(),
                request.uri().getPath(),
                response.statusCode(),
                response.headers().firstValue("Content-Type").orElse(""),
                response.body());
        return new Answer(response.statusCode(), Json.MAPPER.readTree(response.body()));
    }

    String submit(String manifest, Path workspace) throws IOException, InterruptedException {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("manifest", manifest).put("workspace", workspace.toString());
        Answer answer = post("/runs", body);
        if (answer.status() != 201) {
            throw new AssertionError(answer.toString());
        }
        return answer.body().path("runId").asText();
    }

    JsonNode until(String runId, String... statuses) throws IOException, InterruptedException {
        Awaitility.await()
                .atMost(SOON)
                .until(() -> List.of(statuses)
                        .contains(get("/runs/" + runId).path("status").asText()));
        return get("/runs/" + runId);
    }

    List<JsonNode> events(String runId) throws IOException, InterruptedException {
        List<JsonNode> events = new ArrayList<>();
        JsonNode page = get("/runs/" + runId + "/events?limit=1000");
        while (!page.path("events").isEmpty()) {
            page.path("events").forEach(events::add);
            page = get("/runs/" + runId + "/events?limit=1000&since=" + events.size());
        }
        return events;
    }

    /** Everything that the feed sends from now on. */
    List<JsonNode> feed() {
        List<JsonNode> received = new CopyOnWriteArrayList<>();
        client.newWebSocketBuilder()
                .buildAsync(URI.create(url.replace("http://", "ws://") + "/feed"), new Listener(received))
                .join();
        Awaitility.await().atMost(SOON).until(() -> !received.isEmpty());
        return received;
    }

    private static final class Listener implements WebSocket.Listener {
        private final List<JsonNode> received;
        private final StringBuilder part = new StringBuilder();

        Listener(List<JsonNode> received) {
            this.received = received;
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
            part.append(text);
            if (last) {
                try {
                    received.add(Json.MAPPER.readTree(part.toString()));
                } catch (IOException malformed) {
                    throw new AssertionError("not JSON: " + part, malformed);
                }
                part.setLength(0);
            }
            socket.request(1);
            return null;
        }
    }
}
