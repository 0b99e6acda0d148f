package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server as the launcher starts it, with a heap far below what it is requested: without memory it would end. It died on
 * one request for 120 events of 120 KB.
 */
@Timeout(300)
class LargeAnswersIT {
    private static final int CLIENTS = 10;
    private static final int EVENTS = 120;
    private static final int ITEMS = 10_000;
    private static final Duration SOON = Duration.ofMinutes(3);

    @TempDir
    private Path folder;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Socket> silent = new ArrayList<>();
    private Process server;
    private String url;

    @BeforeEach
    void startServer() throws Exception {
        record("ended");
        Path out = folder.resolve("out.txt");
        ProcessBuilder builder = new ProcessBuilder(
                        LauncherScript.path(),
                        "serve",
                        "--port",
                        "0",
                        "--data",
                        folder.resolve("data").toString())
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(folder.resolve("err.txt").toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("LOOPKEEPER_BUILD", "never");
        builder.environment().put("LOOPKEEPER_JAVA_OPTS", "-Xmx96m");
        server = builder.start();
        Awaitility.await()
                .atMost(SOON)
                .until(() -> !server.isAlive() || Files.readString(out).contains("http://"));
        String line = Files.readString(out);
        assertThat(line).as(Files.readString(folder.resolve("err.txt"))).contains("http://");
        url = line.substring(line.indexOf("http://")).trim();
    }

    @AfterEach
    void stopServer() throws IOException {
        for (Socket socket : silent) {
            socket.close();
        }
        server.destroyForcibly().onExit().join();
    }

    /** A run that is over, with events as large as its agent's signals. */
    private void record(String runId) throws Exception {
        Path data = new DataFolder(folder.resolve("data")).prepare().path();
        List<StoredEvent> events = IntStream.rangeClosed(1, EVENTS)
                .mapToObj(sequence -> new StoredEvent(
                        runId, sequence, Instant.EPOCH.plusSeconds(sequence), "step.signal", 1, signal()))
                .toList();
        ObjectNode view =
                JsonNodeFactory.instance.objectNode().put("runId", runId).put("damage", "of a test");
        RunRow row = new RunRow(runId, runId, "completed", Instant.EPOCH, view);
        Vertx vertx = Vertx.vertx();
        try {
            OpenStore store = soon(SqliteEventStore.open(vertx, data));
            soon(store.append(new AppendEvents(runId, 0, 1, events, row, Optional.empty(), Optional.empty())));
            soon(store.close());
        } finally {
            soon(vertx.close());
        }
    }

    private static <T> T soon(Future<T> future) throws Exception {
        return future.await(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    private static JsonNode signal() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("stepId", "build.1.dev.1")
                .set("signal", JsonNodeFactory.instance.objectNode().put("note", "x".repeat(120_000)));
    }

    private static String manifest() {
        String items = IntStream.range(0, ITEMS)
                .mapToObj(item -> "{id: item-" + item + ", vars: {title: \"" + "t".repeat(65) + "\"}}")
                .collect(Collectors.joining(", ", "[", "]"));
        return "name: many\nagents: {dev: {command: \"true\"}}\n" + "phases: [{name: all, each: {steps: [dev], items: "
                + items + "}}]\n";
    }

    /** A run of a megabyte that has begun. */
    private String stopped() throws Exception {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("manifest", manifest()).put("workspace", folder.toString());
        String runId = post("/runs", body.toString()).path("runId").asText();
        assertThat(post("/runs/" + runId + "/stop?wait=60s", "{}")
                        .path("status")
                        .asText())
                .isEqualTo("stopped");
        return runId;
    }

    private JsonNode post(String path, String body) throws Exception {
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create(url + "/api/v1" + path))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
        return Json.MAPPER.readTree(answer.body());
    }

    @Test
    void staysUpWithManyReadersAndManyStalledClients() throws Exception {
        String many = stopped();
        List<String> large = List.of(
                "/runs/ended/events?limit=10000",
                "/runs/" + many + "/checkpoint",
                "/runs/" + many + "/items?limit=10000",
                "/stream?since=0");
        for (int number = 0; number < CLIENTS; number++) {
            askAndReadNothing(large.get(number % large.size()));
        }
        ExecutorService readers = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Callable<Integer>> reading = new ArrayList<>();
            for (int number = 0; number < CLIENTS; number++) {
                reading.add(number % 2 == 0 ? this::allEvents : () -> items(many));
            }
            var all = reading.stream().map(readers::submit).toList();
            while (all.stream().anyMatch(one -> !one.isDone())) {
                assertThat(get("/health/live").statusCode()).isEqualTo(200);
                TimeUnit.MILLISECONDS.sleep(20);
            }
            for (int number = 0; number < CLIENTS; number++) {
                assertThat(all.get(number).get()).isEqualTo(number % 2 == 0 ? EVENTS : ITEMS);
            }
        } finally {
            readers.shutdownNow();
        }
        assertThat(server.isAlive())
                .as(Files.readString(folder.resolve("err.txt")))
                .isTrue();
    }

    private void askAndReadNothing(String path) throws IOException {
        URI address = URI.create(url);
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort()));
        socket.getOutputStream()
                .write(("GET /api/v1" + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + address.getPort() + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        silent.add(socket);
    }

    private int allEvents() throws Exception {
        int found = 0;
        long since = 0;
        while (true) {
            JsonNode page = document("/runs/ended/events?limit=10000&since=" + since);
            if (page.path("events").isEmpty()) {
                return found;
            }
            found += page.path("events").size();
            since = page.path("nextSince").asLong();
        }
    }

    private int items(String runId) throws Exception {
        return document("/runs/" + runId + "/checkpoint").path("items").size();
    }

    /** Asks again after a 503. */
    private JsonNode document(String path) throws Exception {
        HttpResponse<String> answer = get("/api/v1" + path);
        while (answer.statusCode() == 503) {
            TimeUnit.MILLISECONDS.sleep(100);
            answer = get("/api/v1" + path);
        }
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        return Json.MAPPER.readTree(answer.body());
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(url + path)).timeout(SOON).build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
