package dev.loopkeeper.gateway.http;

import dev.loopkeeper.contract.LoadedRuns;
import dev.loopkeeper.gateway.GatewayFixture;
import dev.loopkeeper.gateway.RealRun;
import dev.loopkeeper.gateway.TestRuns;
import dev.loopkeeper.gateway.access.GatewayLimits;
import dev.loopkeeper.gateway.feed.EncodedEvent;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoredEvent;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.ext.web.Router;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The gateway beside plain Vert.x in the same run, clients and servers in one JVM. Figures are no test:
 * {@code mvn -Pbench test -pl runtime,verticles -am -Dtest=GatewayBenchmark -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class GatewayBenchmark {
    private static final int ROUNDS = Integer.getInteger("loopkeeper.bench.rounds", 3);
    private static final int EVENTS = Integer.getInteger("loopkeeper.bench.events", 200);
    private static final int ALONE = 50;
    private static final int REQUESTS = Integer.getInteger("loopkeeper.bench.requests", 20_000);
    private static final int CONCURRENT = 64;

    @TempDir
    private Path folder;

    /**
     * Deliveries a second of events that come all at once; and of events that come one at a time, how long the middle
     * and the slowest hundredth of the deliveries took.
     */
    private record Delivery(double perSecond, double medianMillis, double slowMillis) {}

    @Test
    void measuresTheFeedAgainstAHandlerThatWritesTheSameFrames() {
        for (int clients : new int[] {100, 1000}) {
            for (int round = 1; round <= ROUNDS; round++) {
                Delivery plain = plain(clients);
                Delivery feed = feed(clients);
                System.out.printf(
                        Locale.ROOT,
                        "%d clients, round %d: feed %.0f/s, p50 %.1f ms, p99 %.1f ms; plain %.0f/s, p50 %.1f ms, "
                                + "p99 %.1f ms; ratio %.2f%n",
                        clients,
                        round,
                        feed.perSecond(),
                        feed.medianMillis(),
                        feed.slowMillis(),
                        plain.perSecond(),
                        plain.medianMillis(),
                        plain.slowMillis(),
                        feed.perSecond() / plain.perSecond());
            }
        }
    }

    private GatewayFixture fixture() {
        return new GatewayFixture(folder, options -> options.limited(GatewayLimits.DEFAULTS.rate(0)));
    }

    private Delivery feed(int clients) {
        try (GatewayFixture fixture = fixture()) {
            Listeners listeners = new Listeners(fixture.vertx, clients, 1);
            listeners.connect(fixture.gateway.port());
            var run = TestRuns.run("run-1", "running");
            return listeners.measure(sequence ->
                    fixture.bus.append(TestRuns.append(event(sequence), run)).onFailure(ClientGone::note));
        }
    }

    private static StoredEvent event(int sequence) {
        return TestRuns.event("run-1", sequence, "step.usage");
    }

    private Delivery plain(int clients) {
        Vertx vertx = Vertx.vertx();
        List<ServerWebSocket> sockets = new CopyOnWriteArrayList<>();
        HttpServer server = GatewayFixture.soon(vertx.createHttpServer(new HttpServerOptions()
                        .setPerFrameWebSocketCompressionSupported(false)
                        .setPerMessageWebSocketCompressionSupported(false))
                .webSocketHandler(sockets::add)
                .listen(0, "127.0.0.1"));
        Listeners listeners = new Listeners(vertx, clients, 0);
        listeners.connect(server.actualPort());
        String text = EncodedEvent.of(new PositionedEvent(1000, event(100))).text();
        var context = vertx.getOrCreateContext();
        Delivery delivery = listeners.measure(sequence -> context.runOnContext(
                now -> sockets.forEach(socket -> socket.writeTextMessage(text).onFailure(ClientGone::note))));
        GatewayFixture.soon(vertx.close());
        return delivery;
    }

    /** WebSocket clients that count. */
    private static final class Listeners {
        private final WebSocketClient client;
        private final int clients;
        private final int skip;
        private final AtomicInteger left = new AtomicInteger();
        private volatile Promise<Void> done = Promise.promise();
        private final long[] sentAt = new long[EVENTS + ALONE];
        private final long[] took;

        /** @param skip messages at the beginning that do not count */
        Listeners(Vertx vertx, int clients, int skip) {
            this.client = vertx.createWebSocketClient(new WebSocketClientOptions().setMaxConnections(clients));
            this.clients = clients;
            this.skip = skip;
            this.took = new long[clients * ALONE];
        }

        void connect(int port) {
            List<Future<?>> snapshots = new ArrayList<>();
            for (int index = 0; index < clients; index++) {
                snapshots.add(listen(port, index * ALONE));
            }
            GatewayFixture.soon(Future.all(snapshots));
        }

        private Future<Void> listen(int port, int place) {
            Promise<Void> ready = Promise.promise();
            AtomicInteger count = new AtomicInteger(-skip);
            var socket = client.webSocket();
            socket.textMessageHandler(text -> {
                int event = count.getAndIncrement();
                if (event >= 0) {
                    awaitReceived(place, event);
                }
                ready.tryComplete();
            });
            return socket.connect(new WebSocketConnectOptions()
                            .setHost("127.0.0.1")
                            .setPort(port)
                            .setURI("/feed"))
                    .compose(open -> skip == 0 ? Future.succeededFuture() : ready.future());
        }

        private void awaitReceived(int place, int event) {
            if (event >= EVENTS) {
                took[place + event - EVENTS] = System.nanoTime() - sentAt[event];
            }
            if (left.decrementAndGet() == 0) {
                done.complete();
            }
        }

        Delivery measure(IntConsumer publish) {
            long start = System.nanoTime();
            deliver(publish, 0, EVENTS);
            double seconds = (System.nanoTime() - start) / 1e9;
            for (int event = EVENTS; event < EVENTS + ALONE; event++) {
                deliver(publish, event, event + 1);
            }
            Arrays.sort(took);
            return new Delivery(
                    (double) clients * EVENTS / seconds,
                    took[took.length / 2] / 1e6,
                    took[took.length / 100 * 99] / 1e6);
        }

        private void deliver(IntConsumer publish, int from, int to) {
            done = Promise.promise();
            left.set((to - from) * clients);
            for (int event = from; event < to; event++) {
                sentAt[event] = System.nanoTime();
                publish.accept(event + 1);
            }
            GatewayFixture.soon(done.future());
        }
    }

    @Test
    void measuresOneRunAgainstAPlainRouteWithABodyOfThatSize() {
        try (GatewayFixture fixture = fixture()) {
            RealRun run = new RealRun("run-1");
            GatewayFixture.soon(fixture.bus.append(run.next()));
            LoadedRuns.in(fixture.vertx).publish(run.state(), Optional.empty(), Optional.empty());
            String body = fixture.get("/runs/run-1").bodyAsString();
            Router router = Router.router(fixture.vertx);
            router.get("/api/v1/runs/:runId")
                    .handler(context -> context.response()
                            .putHeader("Content-Type", "application/json")
                            .end(body)
                            .onFailure(ClientGone::note));
            HttpServer plain = GatewayFixture.soon(
                    fixture.vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
            for (int round = 1; round <= ROUNDS; round++) {
                double bare = requests(fixture.vertx, plain.actualPort());
                double ours = requests(fixture.vertx, fixture.gateway.port());
                System.out.printf(
                        Locale.ROOT,
                        "round %d: GET /runs/{id} %.0f/s, plain route %.0f/s, ratio %.2f%n",
                        round,
                        ours,
                        bare,
                        ours / bare);
            }
        }
    }

    private static double requests(Vertx vertx, int port) {
        HttpClient client =
                vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(CONCURRENT));
        AtomicInteger left = new AtomicInteger(REQUESTS);
        long start = System.nanoTime();
        List<Future<?>> workers = new ArrayList<>();
        for (int worker = 0; worker < CONCURRENT; worker++) {
            workers.add(next(client, port, left));
        }
        GatewayFixture.soon(Future.all(workers));
        double seconds = (System.nanoTime() - start) / 1e9;
        GatewayFixture.soon(client.close());
        return REQUESTS / seconds;
    }

    private static Future<Void> next(HttpClient client, int port, AtomicInteger left) {
        if (left.getAndDecrement() <= 0) {
            return Future.succeededFuture();
        }
        return client.request(HttpMethod.GET, port, "127.0.0.1", "/api/v1/runs/run-1")
                .compose(request -> request.send().compose(HttpClientResponse::body))
                .compose(body -> next(client, port, left));
    }
}
