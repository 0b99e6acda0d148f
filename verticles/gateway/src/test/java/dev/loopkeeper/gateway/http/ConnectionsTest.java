package dev.loopkeeper.gateway.http;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.gateway.GatewayFixture;
import dev.loopkeeper.gateway.RawClient;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.net.impl.ConnectionBase;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
    @Test
    void closesAnEndedConnectionWithoutAnError() throws IOException {
        Vertx vertx = Vertx.vertx();
        try {
            Promise<HttpConnection> opened = Promise.promise();
            HttpServer server = GatewayFixture.soon(vertx.createHttpServer()
                    .connectionHandler(opened::tryComplete)
                    .requestHandler(request -> {})
                    .listen(0, "127.0.0.1"));
            try (RawClient client = new RawClient(server.actualPort())) {
                client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
                GatewayFixture.soon(opened.future());
            }
            HttpConnection connection = opened.future().result();
            await().atMost(Duration.ofSeconds(60)).until(() -> isOver(connection));
            assertThatCode(() -> Connections.cut(connection)).doesNotThrowAnyException();
        } finally {
            GatewayFixture.soon(vertx.close());
        }
    }

    private static boolean isOver(HttpConnection connection) {
        return ((ConnectionBase) connection).channelHandlerContext().pipeline().firstContext() == null;
    }
}
