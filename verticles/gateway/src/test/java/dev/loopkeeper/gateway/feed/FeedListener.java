package dev.loopkeeper.gateway.feed;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.gateway.Contract;
import dev.loopkeeper.gateway.GatewayFixture;
import dev.loopkeeper.json.Json;
import io.vertx.core.http.ClientWebSocket;
import io.vertx.core.http.WebSocketConnectOptions;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A real WebSocket client of the feed that keeps what it receives. */
public final class FeedListener {
    private static final Contract CONTRACT = Contract.ofProgram();
    private static final int CHECKED = 5;

    public final List<JsonNode> messages = new CopyOnWriteArrayList<>();
    public final ClientWebSocket socket;
    public volatile boolean closed;

    private FeedListener(ClientWebSocket socket) {
        this.socket = socket;
    }

    /** Listens before it connects: what comes with the very answer to the upgrade is not lost. */
    public static FeedListener open(GatewayFixture fixture, String query) {
        FeedListener listener = new FeedListener(fixture.sockets.webSocket());
        listener.socket.textMessageHandler(text -> listener.receive(text));
        listener.socket.closeHandler(gone -> listener.closed = true);
        GatewayFixture.soon(listener.socket.connect(new WebSocketConnectOptions()
                .setHost("127.0.0.1")
                .setPort(fixture.gateway.port())
                .setURI("/api/v1/feed" + query)));
        return listener;
    }

    /** The first messages are held against the document; all of them would take longer than to make them. */
    private void receive(String text) {
        if (messages.size() < CHECKED) {
            CONTRACT.checkFeed(text);
        }
        messages.add(parse(text));
    }

    public static JsonNode parse(String text) {
        try {
            return Json.MAPPER.readTree(text);
        } catch (IOException notJson) {
            throw new AssertionError(text, notJson);
        }
    }

    /** The cursors of the events, in the order they came. */
    public List<Long> cursors() {
        return messages.stream()
                .filter(message -> message.has("sequence"))
                .map(message -> Long.parseLong(message.path("cursor").asText()))
                .toList();
    }

    public boolean hasSnapshot() {
        return !messages.isEmpty();
    }
}
