package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One script of requests, to the node that executes the runs, to one that does not, and to a server without a cluster:
 * the answers are the same.
 */
class AnyNodeTest {
    private static final String ASKS = """
            name: asks
            agents:
              dev:
                command: 'echo out; echo err >&2; [ -z "$LOOPKEEPER_FEEDBACK" ] || echo "{\\"status\\": \\"completed\\"}" >"$LOOPKEEPER_SIGNAL_FILE"'
                signal: .loopkeeper/dev.json
                timeout: 1m
            phases: [{name: build, loop: {steps: [dev], until: iterations, maxIterations: 1}}]
            """;

    private static final String SLEEPS = """
            name: sleeps
            agents: {dev: {command: 'echo begun; exec sleep 300', timeout: 10m, stop: {grace: 5s}}}
            phases: [{name: build, task: dev}]
            """;

    /** Of a moment, a process or a node, not of what was asked. */
    private static final Set<String> PASSING = Set.of(
            "pid",
            "activeMs",
            "processGroup",
            "startTicks",
            "durationMs",
            "activity",
            "owner",
            "node",
            "unanswered",
            "command",
            "cursor",
            "cpuMs",
            "rssBytes",
            "uptimeMs",
            "elapsedMs",
            "waitedMs",
            "sampledAt");

    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z");
    private static final Pattern HASH = Pattern.compile("\\b[0-9a-f]{16,64}\\b");
    private static final Pattern WAITED = Pattern.compile("\\b\\d+(\\.\\d+)? ?(ms|s)\\b");
    private static final List<String> READ = List.of(
            "",
            "/checkpoint",
            "/events?limit=100",
            "/events?since=2&limit=2",
            "/explain",
            "/receipts",
            "/diff",
            "/steps",
            "/steps/STEP",
            "/steps/nope",
            "/steps/STEP/log",
            "/steps/STEP/log?stream=stderr",
            "/steps/STEP/log?tail=1",
            "/steps/STEP/log?view=readable",
            "/steps/STEP/log?stream=nope",
            "/steps/STEP/diff",
            "/iterations",
            "/items");

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private ServedNodes nodes;

    @BeforeEach
    void start() throws IOException {
        nodes = new ServedNodes(folder);
    }

    @AfterEach
    void end() throws IOException {
        nodes.close();
    }

    private static String api(ServedNode server) {
        return server.url() + "/api/v1";
    }

    @Test
    void anyNodeAnswersAsTheOwnerAndAsASingleServer() throws Exception {
        String owner = api(nodes.node("n1"));
        String other = api(nodes.node("n2"));
        String alone = api(nodes.alone("alone"));

        List<String> asOwner = new Walk("o", owner, owner).all();
        List<String> asOther = new Walk("t", owner, other).all();
        List<String> asAlone = new Walk("a", alone, alone).all();

        assertThat(asOther).containsExactlyElementsOf(asOwner);
        assertThat(asAlone).containsExactlyElementsOf(asOwner);
        assertThat(nodes.ask("SELECT DISTINCT owner FROM loopkeeper.runs")).containsExactly("n1");
    }

    /** Runs are made at one server and asked of at another. */
    private final class Walk {
        private final String key;
        private final String maker;
        private final String asked;
        private final Path work;
        private final List<String> reported = new ArrayList<>();
        private String making = "nothing";

        Walk(String key, String maker, String asked) throws IOException {
            this.key = key;
            this.maker = maker;
            this.asked = asked;
            this.work = nodes.shared("work-" + key);
        }

        List<String> all() throws Exception {
            strangers();
            String first = "asks-" + key;
            make(first, ASKS);
            until(first, "paused");
            READ.forEach(path -> compare("GET", "/runs/" + first + path.replace("STEP", "build.1.dev.1"), ""));
            compare("POST", "/runs/" + first + "/pause", "{}");
            compare("POST", "/runs/" + first + "/resume", "{\"action\": \"nope\"}");
            compare("POST", "/runs/" + first + "/resume", "{\"nope\": 1}");
            compare("POST", "/runs/" + first + "/resume?dryRun=true", "");
            compare("POST", "/runs/" + first + "/resume", "{\"action\": \"retry_iteration\", \"dryRun\": true}");
            compare(
                    "POST",
                    "/runs/" + first + "/resume?wait=60s",
                    "{\"action\": \"retry_iteration\", \"feedback\": \"go on\"}");
            List.of("stop", "pause", "resume")
                    .forEach(subcommand -> compare("POST", "/runs/" + first + "/" + subcommand, "{}"));
            READ.forEach(path -> compare("GET", "/runs/" + first + path.replace("STEP", "build.1.dev.2"), ""));
            killed("sleeps-" + key + "-killed");
            stopped("sleeps-" + key + "-stopped");
            return reported;
        }

        private void strangers() {
            compare("POST", "/runs", "{");
            compare("POST", "/runs", "{}");
            compare("POST", "/runs", "{\"manifest\": {}, \"nope\": 1}");
            compare("POST", "/runs", "{\"manifest\": {}}");
            READ.forEach(path -> compare("GET", "/runs/nope" + path.replace("STEP", "x"), ""));
            List.of("stop", "pause", "resume").forEach(subcommand -> compare("POST", "/runs/nope/" + subcommand, "{}"));
            compare("POST", "/processes/nope/dev/kill", "{}");
            compare("DELETE", "/runs/nope", "");
            compare("GET", "/runs?status=nope", "");
        }

        private void killed(String run) throws Exception {
            sleeping(run);
            compare("POST", "/processes/" + run + "/nope/kill", "{}");
            compare("POST", "/runs/" + run + "/resume", "{}");
            compare("POST", "/runs/" + run + "/pause", "{\"reason\": \"wait\"}");
            compare("POST", "/processes/" + run + "/dev/kill", "{}");
            until(run, "failed");
            compare("GET", "/runs/" + run, "");
            compare("GET", "/runs/" + run + "/explain", "");
        }

        private void stopped(String run) throws Exception {
            Feed feed = new Feed(asked, run);
            sleeping(run);
            compare("GET", "/processes?run=" + run, "");
            does(run);
            compare("POST", "/runs/" + run + "/stop?wait=60s", "{\"reason\": \"enough\"}");
            List<JsonNode> received = feed.untilEnded();
            String since = received.get(0).path("cursor").asText();
            received.forEach(message -> reported.add("feed " + masked(message)));
            replayed(run, since).forEach(message -> reported.add("stream " + masked(message)));
            compare("POST", "/runs/" + run + "/stop", "{}");
            compare("GET", "/runs/" + run + "/events?limit=100", "");
            compare("GET", "/runs/" + run + "/receipts", "");
            compare("GET", "/runs/" + run + "/explain", "");
            compare("GET", "/runs?prefix=sleeps-" + key + "&status=stopped&limit=1", "");
            compare("POST", "/manifests/check", "{\"manifest\": \"name: x\"}");
        }

        /** The same as server-sent events, from where the feed began. */
        private List<JsonNode> replayed(String run, String since) throws Exception {
            String query = "/stream?runs=" + run + "&since=" + URLEncoder.encode(since, StandardCharsets.UTF_8);
            List<JsonNode> messages = new ArrayList<>();
            HttpRequest request = HttpRequest.newBuilder(URI.create(asked + query))
                    .timeout(Duration.ofMinutes(1))
                    .build();
            try (Stream<String> lines =
                    client.send(request, HttpResponse.BodyHandlers.ofLines()).body()) {
                Iterator<String> data =
                        lines.filter(line -> line.startsWith("data:")).iterator();
                do {
                    messages.add(Json.MAPPER.readTree(data.next().substring("data:".length())));
                } while (!Feed.isEnd(messages.get(messages.size() - 1)));
            }
            return messages;
        }

        private void sleeping(String run) throws Exception {
            make(run, SLEEPS);
            Awaitility.await()
                    .until(() -> send(asked, "GET", "/runs/" + run + "/steps/build.dev.1/log", "")
                            .body()
                            .contains("begun"));
        }

        /** What is requested again until the output was read is compared here, not with what others reported. */
        private void does(String run) throws Exception {
            Awaitility.await()
                    .untilAsserted(() -> assertThat(
                                    json("/runs/" + run).at("/activity/text").asText())
                            .isEqualTo("begun"));
            JsonNode process = json("/processes?run=" + run).path("processes").get(0);
            assertThat(json("/runs/" + run + "/steps").at("/steps/0/pid").asLong())
                    .isPositive()
                    .isEqualTo(json("/runs/" + run + "/steps/build.dev.1")
                            .path("pid")
                            .asLong())
                    .isEqualTo(process.path("pid").asLong());
        }

        private JsonNode json(String path) throws IOException {
            return Json.MAPPER.readTree(send(asked, "GET", path, "").body());
        }

        private void make(String run, String manifest) {
            making = run;
            ObjectNode body = Json.MAPPER.createObjectNode();
            body.put("manifest", manifest).put("workspace", work.toString()).put("runId", run);
            HttpResponse<String> made = send(maker, "POST", "/runs", body.toString());
            assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
            reported.add("made " + headers(made));
            // The same request again, under the same key, and then as another one.
            assertThat(send(asked, "POST", "/runs", body.toString()).statusCode())
                    .isEqualTo(200);
            compare("POST", "/runs", body.put("manifest", "name: another").toString());
        }

        private void until(String run, String status) {
            Awaitility.await()
                    .until(() -> send(asked, "GET", "/runs/" + run, "")
                            .body()
                            .replace(" ", "")
                            .contains("\"status\":\"" + status + "\""));
        }

        private void compare(String method, String path, String body) {
            HttpResponse<String> answer = send(asked, method, path, body);
            reported.add(method + " " + masked(path) + " " + body.length() + ": " + answer.statusCode() + " "
                    + headers(answer) + " " + shown(answer.body()));
        }

        private HttpResponse<String> send(String server, String method, String path, String body) {
            HttpRequest.BodyPublisher sent =
                    body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
            HttpRequest request = HttpRequest.newBuilder(URI.create(server + path))
                    .header("Content-Type", "application/json")
                    .header("Idempotency-Key", key + "-" + making)
                    .method(method, sent)
                    .build();
            try {
                return client.send(request, HttpResponse.BodyHandlers.ofString());
            } catch (IOException failed) {
                throw new AssertionError(method + " " + path, failed);
            } catch (InterruptedException asked) {
                Thread.currentThread().interrupt();
                throw new AssertionError(asked);
            }
        }

        /** All but the time, and the length, which goes by times and names. */
        private String headers(HttpResponse<String> answer) {
            Map<String, List<String>> all = new TreeMap<>(answer.headers().map());
            all.keySet().removeAll(Set.of("content-length", "date"));
            return masked(all.toString());
        }

        private String shown(String body) {
            try {
                return masked(Json.MAPPER.readTree(body)).toString();
            } catch (IOException text) {
                return masked(body);
            }
        }

        private JsonNode masked(JsonNode node) {
            if (node instanceof ObjectNode members) {
                members.remove(PASSING);
                members.fieldNames().forEachRemaining(name -> members.set(name, masked(members.get(name))));
            } else if (node instanceof ArrayNode parts) {
                for (int index = 0; index < parts.size(); index++) {
                    parts.set(index, masked(parts.get(index)));
                }
            }
            return node.isTextual() ? TextNode.valueOf(masked(node.asText())) : node;
        }

        private String masked(String text) {
            String named = text.replace(work.toString(), "WORK")
                    .replace("asks-" + key, "ASKS")
                    .replace("sleeps-" + key, "SLEEPS");
            return WAITED.matcher(
                            HASH.matcher(TIME.matcher(named).replaceAll("TIME")).replaceAll("HASH"))
                    .replaceAll("WAITED");
        }
    }

    /** What a client of the feed receives of one run. */
    private static final class Feed implements WebSocket.Listener {
        private final List<JsonNode> received = new ArrayList<>();
        private final CompletableFuture<List<JsonNode>> ended = new CompletableFuture<>();
        private final StringBuilder part = new StringBuilder();

        Feed(String server, String run) {
            URI address = URI.create(server.replace("http://", "ws://") + "/feed?runs=" + run);
            HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .buildAsync(address, this)
                    .orTimeout(1, TimeUnit.MINUTES)
                    .join();
        }

        static boolean isEnd(JsonNode message) {
            return message.path("type").asText().equals("run.ended");
        }

        List<JsonNode> untilEnded() {
            return ended.orTimeout(1, TimeUnit.MINUTES).join();
        }

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
            part.append(text);
            if (last) {
                receive(part.toString());
                part.setLength(0);
            }
            from.request(1);
            return null;
        }

        private void receive(String message) {
            try {
                received.add(Json.MAPPER.readTree(message));
            } catch (IOException malformed) {
                ended.completeExceptionally(malformed);
            }
            if (isEnd(received.get(received.size() - 1))) {
                ended.complete(List.copyOf(received));
            }
        }
    }
}
