package dev.loopkeeper.gateway;

import static dev.loopkeeper.gateway.GatewayFixture.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.gateway.feed.FeedListener;
import dev.loopkeeper.gateway.feed.FeedOptions;
import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoreException;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.WebSocketFrame;
import io.vertx.ext.web.client.HttpResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated("reads the log of the process, or changes what it has once")
class FeedTest {
    @TempDir
    Path data;

    private GatewayFixture fixture;

    @BeforeEach
    void open() {
        FeedOptions small = new FeedOptions(64, 1 << 20, 64 << 10, Duration.ofMinutes(10), Duration.ofMinutes(10), 100);
        fixture = new GatewayFixture(data, options -> options.feeding(small));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private FeedListener listener(String query) {
        return FeedListener.open(fixture, query);
    }

    private void happens(String runId, long sequence, String type) {
        fixture.happens(TestRuns.event(runId, sequence, type), TestRuns.run(runId, "running"));
    }

    private List<Long> positionsAfter(long cursor) {
        return fixture.store.all().stream()
                .map(PositionedEvent::position)
                .filter(position -> position > cursor)
                .toList();
    }

    private static void awaitMessages(FeedListener listener, int messages) {
        await().until(() -> listener.messages.size() >= messages);
    }

    @Test
    void aSnapshotComesFirstAndThenEveryEvent() {
        happens("run-1", 1, "run.created");
        FeedListener listener = listener("");
        awaitMessages(listener, 1);
        happens("run-1", 2, "run.started");
        awaitMessages(listener, 2);
        JsonNode snapshot = listener.messages.get(0);
        assertThat(snapshot.toString())
                .startsWith("{\"type\":\"snapshot\",\"cursor\":\"1\",\"runs\":[{\"runId\":\"run-1\",\"name\":\"demo\","
                        + "\"status\":\"running\",\"execution\":1,");
        assertThat(listener.messages.get(1).toString())
                .isEqualTo("{\"runId\":\"run-1\",\"sequence\":2,\"at\":\"2026-11-20T15:12:33.120Z\","
                        + "\"type\":\"run.started\",\"execution\":1,\"data\":{\"note\":\"n2\"},\"cursor\":\"3\"}");
    }

    private static Future<Void> sent(FeedListener listener, int fragments, int bytesOfEach) {
        Buffer part = Buffer.buffer("x".repeat(bytesOfEach));
        Future<Void> all = listener.socket.writeFrame(WebSocketFrame.textFrame(part.toString(), fragments == 1));
        for (int fragment = 2; fragment <= fragments; fragment++) {
            boolean last = fragment == fragments;
            all = all.compose(before -> listener.socket.writeFrame(WebSocketFrame.continuationFrame(part, last)));
        }
        return all;
    }

    /** One frame, or a message in many. */
    @ParameterizedTest
    @CsvSource({"1, 70000", "1, 1000000", "400, 1000", "2, 32769"})
    void aMessageThatIsTooBigEndsTheConnection(int fragments, int bytesOfEach) {
        FeedListener listener = listener("");
        awaitMessages(listener, 1);
        // What comes after the server has enough may find it gone.
        sent(listener, fragments, bytesOfEach).onFailure(ClientGone::note);
        await().until(() -> listener.closed);
        await().until(() -> fixture.gateway.connections() == 0);
        assertThat(fixture.gateway.feedClients()).isZero();
    }

    @Test
    void messagesThatAreNotTooBigDoNotAddUp() {
        FeedListener listener = listener("");
        awaitMessages(listener, 1);
        soon(sent(listener, 2, 32768)
                .compose(sent -> sent(listener, 1, 65536))
                .compose(sent -> listener.socket.writeTextMessage("{\"type\":\"ping\"}")));
        awaitMessages(listener, 2);
        assertThat(listener.messages.get(1)).hasToString("{\"type\":\"pong\"}");
    }

    @Test
    void whatIsNoFrameEndsTheConnection() throws IOException {
        try (RawClient client = new RawClient(fixture.gateway.port())) {
            String upgrade = "GET /api/v1/feed HTTP/1.1~Host: 127.0.0.1~Upgrade: websocket~Connection: Upgrade~"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==~Sec-WebSocket-Version: 13~~";
            client.send(upgrade.replace("~", "\r\n"));
            assertThat(client.until("\r\n\r\n")).contains(" 101 ");
            client.send("nonsense");
            assertThat(client.untilClosed()).isNotNull();
        }
        await().until(() -> fixture.gateway.connections() == 0);
        assertThat(fixture.gateway.feedClients()).isZero();
    }

    @Test
    void aCharacterMayBeSplitBetweenFrames() {
        FeedListener listener = listener("");
        awaitMessages(listener, 1);
        soon(listener.socket
                .writeFrame(WebSocketFrame.textFrame("caf", false))
                .compose(sent -> listener.socket.writeFrame(continued(false, 0xc3)))
                .compose(sent -> listener.socket.writeFrame(continued(true, 0xa9)))
                .compose(sent -> listener.socket.writeTextMessage("{\"type\":\"ping\"}")));
        awaitMessages(listener, 2);
        assertThat(listener.messages.get(1)).hasToString("{\"type\":\"pong\"}");
    }

    private static WebSocketFrame continued(boolean last, int value) {
        return WebSocketFrame.continuationFrame(Buffer.buffer(new byte[] {(byte) value}), last);
    }

    @Test
    void aCursorReplaysWhatCameAfterIt() {
        for (int sequence = 1; sequence <= 300; sequence++) {
            happens("run-1", sequence, "step.usage");
        }
        long cursor = fixture.store.all().get(9).position();
        FeedListener listener = listener("?since=" + cursor);
        awaitMessages(listener, 291);
        assertThat(listener.messages.get(0).path("cursor").asText()).isEqualTo(Long.toString(cursor));
        assertThat(listener.cursors()).isEqualTo(positionsAfter(cursor));
    }

    @Test
    void answersPingsAndNoOtherMessage() {
        FeedListener listener = listener("");
        awaitMessages(listener, 1);
        soon(listener.socket.writeTextMessage("hello"));
        soon(listener.socket.writeTextMessage("{\"type\":\"ping\"}"));
        awaitMessages(listener, 2);
        assertThat(listener.messages.get(1)).hasToString("{\"type\":\"pong\"}");
        happens("run-1", 1, "run.created");
        awaitMessages(listener, 3);
        assertThat(listener.messages.get(2).path("runId").asText()).isEqualTo("run-1");
    }

    @Test
    void runsAndTypesAreFiltered() {
        happens("run-1", 1, "run.created");
        happens("run-2", 1, "run.created");
        FeedListener listener = listener("?runs=run-2,run-9&types=run.ended,stop");
        awaitMessages(listener, 1);
        happens("run-1", 2, "stop");
        happens("run-2", 2, "step.started");
        happens("run-2", 3, "run.ended");
        awaitMessages(listener, 2);
        assertThat(listener.messages.get(0).path("runs")).hasSize(1);
        assertThat(listener.messages.get(1).path("sequence").asInt()).isEqualTo(3);
        assertThat(listener.messages).hasSize(2);
    }

    /** Events are published while clients with random cursors connect; everyone has each event once and in order. */
    @ParameterizedTest
    @ValueSource(longs = {1, 20261120, 424242})
    void clientsThatConnectWhileEventsArePublishedMissNothing(long seed) {
        Random random = new Random(seed);
        List<FeedListener> listeners = new ArrayList<>();
        List<Long> cursors = new ArrayList<>();
        for (int event = 1; event <= 1000; event++) {
            happens("run-" + event % 7, (event + 6) / 7, "step.usage");
            if (random.nextInt(100) == 0) {
                var all = fixture.store.all();
                long cursor = all.get(random.nextInt(all.size())).position();
                boolean fromNow = random.nextInt(4) == 0;
                listeners.add(listener(fromNow ? "" : "?since=" + cursor));
                cursors.add(fromNow ? -1 : cursor);
            }
        }
        long newest = fixture.store.all().get(999).position();
        for (int index = 0; index < listeners.size(); index++) {
            FeedListener listener = listeners.get(index);
            await("seed " + seed + ", client " + index).until(listener::hasSnapshot);
            long from = Long.parseLong(listener.messages.get(0).path("cursor").asText());
            assertThat(cursors.get(index)).isIn(-1L, from);
            await().until(() -> from == newest || listener.cursors().contains(newest));
            assertThat(listener.cursors()).as("seed " + seed).isEqualTo(positionsAfter(from));
        }
    }

    @Test
    void aSlowClientIsClosedAsLaggingAndDelaysNoOther() {
        FeedListener slow = listener("");
        FeedListener fast = listener("");
        awaitMessages(slow, 1);
        awaitMessages(fast, 1);
        slow.socket.pause();
        String runId = "run-" + "x".repeat(180);
        var big = TestRuns.run(runId, "running");
        for (int sequence = 1; sequence <= 600; sequence++) {
            var event = TestRuns.event(runId, sequence, "step.usage");
            ((ObjectNode) event.data()).put("text", "y".repeat(60_000));
            fixture.happens(event, big);
            int sent = sequence;
            if (sequence % 16 == 0) {
                await().until(() -> fast.cursors().size() >= sent);
            }
        }
        awaitMessages(fast, 601);
        assertThat(fast.cursors()).isEqualTo(positionsAfter(0));
        assertThat(fast.closed).isFalse();
        await().until(() -> fixture.gateway.feedClients() == 1);
        slow.socket.resume();
        await().until(() -> slow.closed);
        List<Long> read = slow.cursors();
        assertThat(read).isEqualTo(positionsAfter(0).subList(0, read.size())).hasSizeLessThan(600);
        JsonNode last = slow.messages.get(slow.messages.size() - 1);
        assertThat(last.path("type").asText()).isEqualTo("lagged");
        assertThat(last.path("cursor").asText()).isEqualTo(Long.toString(read.get(read.size() - 1)));
        assertThat(slow.socket.closeStatusCode()).isEqualTo((short) 1013);
    }

    @Test
    void aClientThatHasGoneLeavesNothingBehind() {
        FeedListener one = listener("");
        FeedListener other = listener("");
        awaitMessages(one, 1);
        awaitMessages(other, 1);
        assertThat(fixture.gateway.feedClients()).isEqualTo(2);
        GatewayFixture.soon(one.socket.close());
        await().until(() -> fixture.gateway.feedClients() == 1);
        happens("run-1", 1, "run.created");
        awaitMessages(other, 2);
    }

    @Test
    void anEndingServerSaysSo() {
        FeedListener listener = listener("");
        awaitMessages(listener, 1);
        GatewayFixture.soon(fixture.vertx.undeploy(fixture.gateway.deploymentID()));
        await().until(() -> listener.closed);
        assertThat(listener.socket.closeStatusCode()).isEqualTo((short) 1001);
    }

    @Test
    void aStoreThatCannotBeReadEndsTheFeed() {
        fixture.store.fail(new StoreException("/secret/place is gone", null));
        FeedListener listener = listener("");
        await().until(() -> listener.closed);
        assertThat(listener.socket.closeStatusCode()).isEqualTo((short) 1011);
    }

    @Test
    void aCursorOfAnotherStoreIsRefused() {
        FeedListener listener = listener("?since=99");
        await().until(() -> listener.closed);
        assertThat(listener.socket.closeStatusCode()).isEqualTo((short) 1008);
        assertThat(listener.socket.closeReason()).contains("since");
    }

    /** An answer of 200 made a browser connect again and again with the same cursor. */
    @ParameterizedTest
    @CsvSource({"/api/v1/stream?since=99, ''", "/api/v1/stream, 99", "/api/v1/stream?since=1, 99"})
    void aStreamWithACursorAheadOfTheFeedIsRefused(String path, String lastEventId) {
        happens("run-1", 1, "run.created");
        HttpResponse<Buffer> answer = GatewayFixture.soon(fixture.request(HttpMethod.GET, path)
                .putHeader("Last-Event-ID", lastEventId)
                .send());

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.getHeader("Content-Type")).isEqualTo("application/problem+json");
        assertThat(GatewayFixture.json(answer).path("detail").asText())
                .isEqualTo("since is ahead of the newest event; connect without it");
        await().until(() -> fixture.gateway.feedClients() == 0);
    }

    @Test
    void aClientMayStartWithoutAnEarlierEvent() {
        HttpClient client = fixture.vertx.createHttpClient();
        int status = GatewayFixture.soon(
                client.request(HttpMethod.GET, fixture.gateway.port(), "127.0.0.1", "/stream?since=")
                        .compose(request ->
                                request.putHeader("Last-Event-ID", "").send().map(HttpClientResponse::statusCode)));
        assertThat(status).isEqualTo(200);
    }

    @Test
    void serverSentEventsCarryTheSame() {
        happens("run-1", 1, "run.created");
        happens("run-1", 2, "run.started");
        happens("run-1", 3, "run.paused");
        HttpClient client = fixture.vertx.createHttpClient();
        Buffer received = Buffer.buffer();
        String type = GatewayFixture.soon(client.request(
                        HttpMethod.GET, fixture.gateway.port(), "127.0.0.1", "/stream?since=3")
                .compose(request -> request.putHeader("Last-Event-ID", "1")
                        .send()
                        .map(response -> {
                            response.handler(received::appendBuffer);
                            return response.getHeader("Content-Type");
                        })));
        assertThat(type).isEqualTo("text/event-stream");
        await().until(() -> received.toString().split("\n\n", 0).length == 3);
        happens("run-1", 4, "run.resumed");
        await().until(() -> received.toString().split("\n\n", 0).length == 4);
        String[] events = received.toString().split("\n\n", 0);
        assertThat(events[0]).startsWith("event: snapshot\nid: 1\ndata: {\"type\":\"snapshot\"");
        assertThat(events[1]).contains("id: 3\ndata: {\"runId\":\"run-1\",\"sequence\":2");
        assertThat(events[3])
                .startsWith("event: run.resumed\nid: ")
                .contains("\"sequence\":4")
                .contains("\"cursor\":\"");
        GatewayFixture.soon(client.close());
        await().until(() -> fixture.gateway.feedClients() == 0);
    }
}
