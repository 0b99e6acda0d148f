package dev.loopkeeper.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/** Asks changing nodes to begin, pause, continue with and stop runs. */
final class Commander implements Runnable {
    /** What became of a command. */
    enum CommandOutcome {
        DONE,
        REFUSED,
        UNKNOWN
    }

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final List<? extends ServeNode> nodes;
    private final HttpClient client;
    private final Random random;
    private final Path shared;
    private final String manifest;
    private final int wanted;
    /** By the word that goes with it. */
    final Map<String, CommandOutcome> commands = new ConcurrentHashMap<>();
    /** Runs that were answered, by their key. */
    final Map<String, String> runs = new ConcurrentHashMap<>();

    private int count;
    private volatile boolean over;

    Commander(List<? extends ServeNode> nodes, HttpClient client, long seed, Path shared, String manifest, int wanted) {
        this.nodes = nodes;
        this.client = client;
        this.random = new Random(seed);
        this.shared = shared;
        this.manifest = manifest;
        this.wanted = wanted;
    }

    void end() {
        over = true;
    }

    @Override
    public void run() {
        while (!over) {
            try {
                act();
                Thread.sleep(random.nextInt(700));
            } catch (IOException gone) {
                // The next one is asked of another node.
            } catch (InterruptedException interrupted) {
                return;
            }
        }
    }

    private Optional<String> node() {
        return nodes.get(random.nextInt(nodes.size())).url().map(url -> url + "/api/v1");
    }

    private void act() throws IOException, InterruptedException {
        Optional<String> node = node();
        if (node.isEmpty()) {
            Thread.sleep(50);
            return;
        }
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create(node.get() + "/runs?status=queued,running,waiting,paused&limit=100"))
                        .timeout(PATIENCE)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            return;
        }
        JsonNode open = Json.MAPPER.readTree(answer.body()).path("runs");
        if (open.size() < wanted) {
            begin();
            return;
        }
        JsonNode run = open.get(random.nextInt(open.size()));
        String id = run.path("runId").asText();
        String word = "word-" + ++count + "-";
        if (run.path("status").asText().equals("paused")) {
            String action = "";
            for (JsonNode allowed : run.path("pause").path("allowedActions")) {
                if (action.isEmpty() || allowed.asText().equals("retry_iteration")) {
                    action = allowed.asText();
                }
            }
            send(
                    id,
                    "resume",
                    word,
                    Json.MAPPER.createObjectNode().put("action", action).put("feedback", word));
        } else if (random.nextInt(8) == 0) {
            send(id, "stop", word, Json.MAPPER.createObjectNode().put("reason", word));
        } else if (random.nextInt(3) == 0) {
            send(id, "pause", word, Json.MAPPER.createObjectNode().put("reason", word));
        }
    }

    private void send(String runId, String command, String word, ObjectNode body) throws InterruptedException {
        Optional<String> node = node();
        if (node.isEmpty()) {
            return;
        }
        commands.put(word, CommandOutcome.UNKNOWN);
        try {
            HttpResponse<String> answer = post(node.get() + "/runs/" + runId + "/" + command, body, "");
            int code = answer.statusCode();
            if (code == 200 || code == 202) {
                commands.put(word, CommandOutcome.DONE);
            } else if (code < 500) {
                commands.put(word, CommandOutcome.REFUSED);
            }
        } catch (IOException unknown) {
            // It may have been executed.
        }
    }

    /** As often as it takes: what is left of a run ends. */
    void stop(String runId) throws InterruptedException {
        Optional<String> node = node();
        try {
            if (node.isPresent()) {
                HttpResponse<String> unused = post(
                        node.get() + "/runs/" + runId + "/stop",
                        Json.MAPPER.createObjectNode().put("now", true),
                        "");
            }
        } catch (IOException away) {
            // Asked again.
        }
    }

    /** The same key at other nodes until one has answered. */
    private void begin() throws InterruptedException {
        String key = "key-" + ++count;
        ObjectNode body = Json.MAPPER.createObjectNode().put("manifest", manifest);
        try {
            body.put("workspace", Files.createDirectories(shared.resolve(key)).toString());
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
        while (!over) {
            try {
                Optional<String> node = node();
                if (node.isPresent()) {
                    HttpResponse<String> answer = post(node.get() + "/runs", body, key);
                    if (answer.statusCode() == 201 || answer.statusCode() == 200) {
                        runs.put(
                                key,
                                Json.MAPPER
                                        .readTree(answer.body())
                                        .path("runId")
                                        .asText());
                        return;
                    }
                    // Another try of this key may hold the signal file, which only this request names.
                    boolean underWay =
                            answer.statusCode() == 409 && answer.body().contains("signal-in-use");
                    if (answer.statusCode() < 500 && !underWay) {
                        throw new IllegalStateException(answer.body());
                    }
                }
            } catch (IOException away) {
                // Asked again.
            }
            Thread.sleep(100);
        }
    }

    private HttpResponse<String> post(String url, ObjectNode body, String key)
            throws IOException, InterruptedException {
        HttpRequest.Builder ask = HttpRequest.newBuilder(URI.create(url))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()));
        if (!key.isEmpty()) {
            ask.header("Idempotency-Key", key);
        }
        return client.send(ask.build(), HttpResponse.BodyHandlers.ofString());
    }
}
