package dev.loopkeeper.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.gateway.GatewayFixture;
import dev.loopkeeper.gateway.RawClient;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LargeBodiesTest {
    private static final Buffer BODY = Buffer.buffer("0123456789abcdef".repeat(1 << 20));
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private final Vertx vertx = Vertx.vertx();
    private final CountDownLatch left = new CountDownLatch(1);
    private HttpServer server;

    private void serve(LargeBodies bodies) {
        server = GatewayFixture.soon(vertx.createHttpServer()
                .requestHandler(request -> {
                    request.connection().closeHandler(over -> left.countDown());
                    if (!bodies.send(vertx, request, BODY)) {
                        request.response().setStatusCode(503).end().onFailure(ClientGone::note);
                    }
                })
                .listen(0, "127.0.0.1"));
    }

    private RawClient asking() throws IOException {
        RawClient client = new RawClient(server.actualPort());
        client.send(REQUEST);
        return client;
    }

    private String status() throws IOException {
        try (RawClient client = asking()) {
            return client.until("\r\n").strip();
        }
    }

    @AfterEach
    void close() {
        GatewayFixture.soon(vertx.close());
    }

    @Test
    void aBodyArrivesWhole() throws IOException {
        serve(new LargeBodies(1, LONG));
        try (RawClient client = new RawClient(server.actualPort())) {
            client.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            String answer = client.untilClosed();
            assertThat(answer).startsWith("HTTP/1.1 200 OK").contains("content-length: " + BODY.length());
            assertThat(answer.substring(answer.indexOf("\r\n\r\n") + 4)).isEqualTo(BODY.toString());
        }
    }

    @Test
    void refusesLargeAnswersWhileSlowClientsHoldThem() throws IOException {
        serve(new LargeBodies(2L * BODY.length() - 1, LONG));
        try (RawClient silent = asking()) {
            assertThat(silent.until("\r\n")).startsWith("HTTP/1.1 200");
            assertThat(status()).startsWith("HTTP/1.1 503");
        }
        await().until(() -> status().startsWith("HTTP/1.1 200"));
    }

    @Test
    void disconnectsClientsThatReadNothing() throws Exception {
        serve(new LargeBodies(2L * BODY.length() - 1, Duration.ofMillis(200)));
        try (RawClient silent = asking()) {
            assertThat(left.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(silent.untilClosed().length()).isLessThan(BODY.length());
            assertThat(status()).startsWith("HTTP/1.1 200");
        }
    }
}
