package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.Json;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketConnectOptions;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A real WebSocket client of the feed that keeps what it hears. */
final class FeedListener {
    final List<JsonNode> messages = new CopyOnWriteArrayList<>();
    final WebSocket socket;
    volatile boolean closed;

    private FeedListener(WebSocket socket) {
        this.socket = socket;
    }

    static FeedListener open(GatewayFixture fixture, String query) {
        WebSocketConnectOptions options = new WebSocketConnectOptions()
                .setHost("127.0.0.1")
                .setPort(fixture.gateway.port())
                .setURI("/api/v1/feed" + query);
        return GatewayFixture.soon(fixture.sockets.connect(options).map(socket -> new FeedListener(socket).hearing()));
    }

    private FeedListener hearing() {
        socket.textMessageHandler(text -> messages.add(parse(text)));
        socket.closeHandler(gone -> closed = true);
        return this;
    }

    static JsonNode parse(String text) {
        try {
            return Json.MAPPER.readTree(text);
        } catch (IOException notJson) {
            throw new AssertionError(text, notJson);
        }
    }

    /** The cursors of the events, in the order they came. */
    List<Long> cursors() {
        return messages.stream()
                .filter(message -> message.has("sequence"))
                .map(message -> Long.parseLong(message.path("cursor").asText()))
                .toList();
    }

    boolean hasSnapshot() {
        return !messages.isEmpty();
    }
}
