package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.store.PositionedEvent;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.PoolOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many clients that come, go and come back; more of them with {@code -Dloopkeeper.feed.clients=1000}. */
class FeedLoadTest {
    private static final int CLIENTS = Integer.getInteger("loopkeeper.feed.clients", 200);
    private static final int EVENTS = Integer.getInteger("loopkeeper.feed.events", 400);
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    Path data;

    private final Random random = new Random(Long.getLong("loopkeeper.feed.seed", 20261120));
    private GatewayFixture fixture;
    private HttpClient streams;

    @BeforeEach
    void open() {
        fixture = GatewayFixture.plain(data);
        streams =
                fixture.vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(2 * CLIENTS));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void happens(int event) {
        String runId = "run-" + event % 7;
        fixture.happens(TestRuns.event(runId, (event + 6) / 7, "step.usage"), TestRuns.run(runId, "running"));
    }

    private List<Long> positions() {
        return fixture.store.all().stream().map(PositionedEvent::position).toList();
    }

    @Test
    void everyClientHasEveryEventOnceAndInOrderAndLeavesNothingBehind() throws IOException {
        List<LoadClient> clients = new ArrayList<>();
        for (int index = 0; index < CLIENTS; index++) {
            clients.add(new LoadClient(fixture, streams, index % 2 == 0));
        }
        long socketsBefore = openSockets();
        int listenersBefore = fixture.gateway.listeners();
        all(clients.stream().map(client -> client.connect(0)).toList());
        try (RawClient neverReads = new RawClient(fixture.gateway.port())) {
            neverReads.send("GET /stream?since=0 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
            await().atMost(LONG).until(() -> fixture.gateway.feedClients() == CLIENTS + 1);
            publish(clients);
            long newest = fixture.store.all().get(EVENTS - 1).position();
            await().atMost(LONG).until(() -> clients.stream().allMatch(client -> client.last() == newest));
        }
        List<Long> expected = positions();
        assertThat(clients).allSatisfy(client -> assertThat(client.received()).isEqualTo(expected));
        all(clients.stream().map(LoadClient::leave).toList());
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(List.of(fixture.gateway.feedClients(), fixture.gateway.connections()))
                        .containsOnly(0));
        assertThat(fixture.gateway.listeners()).isEqualTo(listenersBefore);
        // Java itself may have opened a pair that it closes others with.
        await().atMost(LONG).until(() -> openSockets() <= socketsBefore + 2);
    }

    /** Now and then some clients are cut off and come back, with any cursor they once had. */
    private void publish(List<LoadClient> clients) {
        for (int sequence = 1; sequence <= EVENTS; sequence++) {
            happens(sequence);
            if (sequence % 20 == 0) {
                List<LoadClient> some = new ArrayList<>(clients);
                Collections.shuffle(some, random);
                all(some.subList(0, CLIENTS / 20).stream().map(this::comesBack).toList());
            }
        }
    }

    private Future<Void> comesBack(LoadClient client) {
        List<Long> received = client.received();
        long cursor = received.isEmpty() ? 0 : received.get(random.nextInt(received.size()));
        return client.leave().otherwiseEmpty().compose(gone -> client.connect(cursor));
    }

    private static void all(List<Future<Void>> futures) {
        GatewayFixture.soon(Future.all(futures));
    }

    /** Of this whole process, clients included. */
    private static long openSockets() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.filter(FeedLoadTest::isSocket).count();
        }
    }

    private static boolean isSocket(Path file) {
        try {
            return Files.readSymbolicLink(file).toString().startsWith("socket:");
        } catch (IOException closed) {
            return false;
        }
    }
}
