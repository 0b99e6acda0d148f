package dev.loopkeeper.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Follows the feed of one node and remembers when it received each event. */
final class FeedClient implements WebSocket.Listener, AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;

    /** Of one event: when it happened, and when this client received it, by the same clock. */
    record ReceivedEvent(Instant at, Instant receivedAt) {}

    /** By run and sequence. */
    final Map<String, ReceivedEvent> events = new ConcurrentHashMap<>();

    private final Map<String, CompletableFuture<Instant>> first = new ConcurrentHashMap<>();
    private final CompletableFuture<Void> connected = new CompletableFuture<>();
    private final StringBuilder part = new StringBuilder();
    private volatile Optional<WebSocket> socket = Optional.empty();

    /** Answers when it would be notified of what happens from now on. */
    static FeedClient open(HttpClient client, ServeNode node) {
        FeedClient opened = new FeedClient();
        String url = node.url().orElseThrow().replace("http://", "ws://") + "/api/v1/feed";
        opened.socket = Optional.of(
                client.newWebSocketBuilder().buildAsync(URI.create(url), opened).join());
        opened.connected.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        return opened;
    }

    @Override
    public void close() {
        socket.ifPresent(WebSocket::abort);
    }

    /** When it received the first event of this type of this run. */
    Instant until(String type, String runId) {
        return first(type, runId).orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    }

    private CompletableFuture<Instant> first(String type, String runId) {
        return first.computeIfAbsent(type + " " + runId, key -> new CompletableFuture<>());
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
        part.append(text);
        if (last) {
            receive(part.toString(), Instant.now());
            part.setLength(0);
        }
        from.request(1);
        return null;
    }

    private void receive(String message, Instant now) {
        try {
            JsonNode json = Json.MAPPER.readTree(message);
            String type = json.path("type").asText();
            if (type.equals("snapshot")) {
                connected.complete(null);
            } else if (json.has("sequence") && json.has("at")) {
                String runId = json.path("runId").asText();
                events.put(
                        runId + " " + json.path("sequence").asLong(),
                        new ReceivedEvent(Instant.parse(json.path("at").asText()), now));
                first(type, runId).complete(now);
            }
        } catch (IOException malformed) {
            connected.completeExceptionally(malformed);
        }
    }
}
