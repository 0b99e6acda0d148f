package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.gateway.feed.FeedOptions;
import dev.loopkeeper.store.StoredEvent;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that are not made of Vert.x: Java's own, and a bare socket that has gone silent. */
class ForeignClientsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    /** A client that is requested a sign of life has so long for it. */
    private static final Duration OFTEN = Duration.ofSeconds(1);
    /** The same for a client that answers, also on a machine in use. */
    private static final Duration SELDOM = Duration.ofSeconds(4);
    /** Kernels take a few megabytes for a client that does not read. */
    private static final int MORE_THAN_A_SOCKET_TAKES = 400;

    @TempDir
    Path data;

    private GatewayFixture fixture;

    @BeforeEach
    void open() {
        serve(OFTEN);
    }

    private void serve(Duration pingEvery) {
        FeedOptions restless = new FeedOptions(64, 1 << 20, 64 << 10, pingEvery, PATIENCE, 100);
        fixture = new GatewayFixture(data, options -> options.feeding(restless));
        fixture.scheduler.runs.put("run-1", TestRuns.run("run-1", "running"));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void javasOwnClientIsServed() throws IOException, InterruptedException {
        HttpClient client = HttpClient.newHttpClient();
        URI base = URI.create(fixture.gateway.url());
        HttpResponse<String> run = client.send(
                HttpRequest.newBuilder(base.resolve("/api/v1/runs/run-1")).build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(run.statusCode()).isEqualTo(200);
        HttpResponse<String> started = client.send(
                HttpRequest.newBuilder(base.resolve("/api/v1/runs"))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"manifest\":{}}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(started.statusCode()).isEqualTo(201);
    }

    @Test
    void javasOwnWebSocketStaysForItAnswersPings() {
        fixture.close();
        serve(SELDOM);
        List<String> received = new CopyOnWriteArrayList<>();
        AtomicInteger pings = new AtomicInteger();
        WebSocket.Listener listener = new WebSocket.Listener() {
            @Override
            public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
                received.add(text.toString());
                socket.request(1);
                return null;
            }

            @Override
            public CompletionStage<?> onPing(WebSocket socket, ByteBuffer message) {
                pings.incrementAndGet();
                socket.request(1);
                return null;
            }
        };
        WebSocket socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create("ws://127.0.0.1:" + fixture.gateway.port() + "/feed"), listener)
                .join();
        await().until(() -> received.size() == 1);
        // A client that has not answered the first is dropped before the second.
        await().until(() -> pings.get() == 2);
        fixture.happens(TestRuns.event("run-1", 1, "run.created"), TestRuns.run("run-1", "running"));
        await().until(() -> received.size() == 2);
        assertThat(socket.isOutputClosed()).isFalse();
        socket.abort();
        await().until(() -> fixture.gateway.feedClients() == 0);
    }

    /** Knows that the feed has begun, and says nothing more. */
    private RawClient silentListener() throws IOException {
        RawClient silent = new RawClient(fixture.gateway.port());
        silent.send("""
                GET /feed HTTP/1.1\r
                Host: 127.0.0.1\r
                Upgrade: websocket\r
                Connection: Upgrade\r
                Sec-WebSocket-Version: 13\r
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                \r
                """);
        assertThat(silent.until("\r\n\r\n")).startsWith("HTTP/1.1 101");
        assertThat(silent.until("snapshot")).isNotEmpty();
        return silent;
    }

    @Test
    void aSilentClientIsDropped() throws IOException {
        try (RawClient silent = silentListener()) {
            await().until(() -> fixture.gateway.feedClients() == 0);
            assertThat(silent.untilClosed()).as("was asked").contains("loopkeeper");
        }
    }

    /** Its socket is full, so not even a farewell gets through; the connection ends all the same. */
    @Test
    void aClientThatNeverReadsIsCutOff() throws IOException {
        try (RawClient silent = silentListener()) {
            for (int sequence = 1; sequence < MORE_THAN_A_SOCKET_TAKES; sequence++) {
                StoredEvent event = TestRuns.event("run-1", sequence, "step.usage");
                ((ObjectNode) event.data()).put("text", "y".repeat(60_000));
                fixture.happens(event, TestRuns.run("run-1", "running"));
            }
            await().until(() -> fixture.gateway.feedClients() == 0);
            assertThat(silent.untilClosed()).isNotEmpty();
        }
    }
}
