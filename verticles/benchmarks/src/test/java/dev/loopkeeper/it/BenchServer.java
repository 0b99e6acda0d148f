package dev.loopkeeper.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.FreePorts;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * The server as users start it, by the launcher, and a client that is notified of events: asking
 * again and again would cost what is measured. See {@link LauncherScript} for another Java
 * or the launcher of another checkout.
 */
public final class BenchServer implements AutoCloseable {
    private static final Duration SOON = Duration.ofMinutes(3);
    /** The first one may build the jar. */
    private static final Duration STARTED = Duration.ofMinutes(20);
    /** Where /proc/PID/stat, behind the name, has the processor times: own and of ended children, user and system. */
    private static final int FIRST_TIME = 11;

    private static final int TIMES = 4;
    private static final double MILLIS_A_TICK = 10;

    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<String, CompletableFuture<Long>> reported = new ConcurrentHashMap<>();
    private final Path folder;
    private final Process process;
    private final String url;
    private long live;
    private long ready;

    private BenchServer(Path folder, Process process, String url) {
        this.folder = folder;
        this.process = process;
        this.url = url;
    }

    /** On a data folder and a workspace of its own. */
    static BenchServer start(Path parent) throws IOException {
        Path folder = Files.createTempDirectory(parent, "server");
        Files.createDirectory(folder.resolve("workspace"));
        return startIn(folder);
    }

    /** On the data folder and the workspace of an earlier one. */
    static BenchServer startIn(Path folder) throws IOException {
        Path out = folder.resolve("out.txt");
        Files.deleteIfExists(out);
        int port = FreePorts.next();
        ProcessBuilder builder = new ProcessBuilder(
                        LauncherScript.path(),
                        "serve",
                        "--port",
                        Integer.toString(port),
                        "--data",
                        folder.resolve("data").toString())
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(folder.resolve("err.txt").toFile());
        LauncherScript.chooseJava(builder);
        long begun = System.nanoTime();
        BenchServer server = new BenchServer(folder, builder.start(), "http://127.0.0.1:" + port);
        try {
            server.live = server.untilAnswered("/health/live") - begun;
            server.ready = server.untilAnswered("/health/ready") - begun;
            server.follow();
            return server;
        } catch (RuntimeException | Error late) {
            server.kill();
            throw late;
        }
    }

    private long untilAnswered(String path) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url + path)).timeout(SOON).build();
        Awaitility.await()
                .atMost(STARTED)
                .pollInterval(Duration.ofMillis(2))
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> client.send(request, HttpResponse.BodyHandlers.discarding())
                                .statusCode()
                        == 200);
        return System.nanoTime();
    }

    /** Milliseconds from its launch to the first time that it said it lives. */
    double liveMillis() {
        return live / 1e6;
    }

    /** Milliseconds from its launch to the first time that it took work. */
    double readyMillis() {
        return ready / 1e6;
    }

    private void follow() {
        CompletableFuture<Void> connected = new CompletableFuture<>();
        client.newWebSocketBuilder()
                .buildAsync(
                        URI.create(url.replace("http://", "ws://")
                                + "/api/v1/feed?types=run.ended,run.paused,step.started"),
                        new Listener(connected))
                .join();
        connected.orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();
    }

    long pid() {
        return process.pid();
    }

    /** Milliseconds of the processor, those of its programs that have ended included. */
    double cpuMillis() {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid() + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", FIRST_TIME + TIMES + 1);
            return Arrays.stream(fields, FIRST_TIME, FIRST_TIME + TIMES)
                            .mapToLong(Long::parseLong)
                            .sum()
                    * MILLIS_A_TICK;
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    Path workspace() {
        return folder.resolve("workspace");
    }

    /** The run's id. */
    String submit(String manifest) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("manifest", manifest).put("workspace", workspace().toString());
        return post("/runs", body.toString()).path("runId").asText();
    }

    JsonNode post(String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/api/v1" + path))
                .timeout(SOON)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return answer(request);
    }

    /** The document at this path below the API's base. */
    JsonNode get(String path) {
        return answer(HttpRequest.newBuilder(URI.create(url + "/api/v1" + path))
                .timeout(SOON)
                .build());
    }

    /** How many bytes a log has, read as they come until its step has ended. */
    long follow(String runId, String stepId) {
        String path = "/runs/" + runId + "/steps/" + stepId + "/log?stream=stdout&follow=true";
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url + "/api/v1" + path)).build();
        try (InputStream log =
                client.send(request, HttpResponse.BodyHandlers.ofInputStream()).body()) {
            byte[] part = new byte[64 * 1024];
            long bytes = 0;
            for (int read = log.read(part); read >= 0; read = log.read(part)) {
                bytes += read;
            }
            return bytes;
        } catch (IOException | InterruptedException broken) {
            throw new IllegalStateException(path, broken);
        }
    }

    /** A request that requests nothing: what any request costs. */
    void live() {
        answer(HttpRequest.newBuilder(URI.create(url + "/health/live"))
                .timeout(SOON)
                .build());
    }

    private JsonNode answer(HttpRequest request) {
        try {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() >= 300) {
                throw new IllegalStateException(request + ": " + answer.statusCode() + " " + answer.body());
            }
            return Json.MAPPER.readTree(answer.body());
        } catch (IOException | InterruptedException broken) {
            throw new IllegalStateException(request.toString(), broken);
        }
    }

    /** When it was informed that the run ended, in nanoseconds of this JVM. */
    long untilEnded(String runId) {
        return until("run.ended", runId);
    }

    /** When it was informed that the run's first step was started. */
    long untilStarted(String runId) {
        return until("step.started", runId);
    }

    /** When it was first notified of such an event of this run. */
    long until(String type, String runId) {
        return event(type, runId).orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();
    }

    private CompletableFuture<Long> event(String type, String runId) {
        return reported.computeIfAbsent(type + " " + runId, key -> new CompletableFuture<>());
    }

    Path folder() {
        return folder;
    }

    /** kill -9, and waits until it is gone. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();
    }

    private final class Listener implements WebSocket.Listener {
        private final CompletableFuture<Void> connected;
        private final StringBuilder part = new StringBuilder();

        Listener(CompletableFuture<Void> connected) {
            this.connected = connected;
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
            part.append(text);
            if (last) {
                receive(part.toString());
                part.setLength(0);
            }
            socket.request(1);
            return null;
        }

        private void receive(String message) {
            try {
                JsonNode json = Json.MAPPER.readTree(message);
                if (json.path("type").asText().equals("snapshot")) {
                    connected.complete(null);
                } else {
                    event(json.path("type").asText(), json.path("runId").asText())
                            .complete(System.nanoTime());
                }
            } catch (IOException malformed) {
                connected.completeExceptionally(malformed);
            }
        }
    }
}
