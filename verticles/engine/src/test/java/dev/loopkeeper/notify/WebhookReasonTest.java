package dev.loopkeeper.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.FreePorts;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.NotifySpec;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.work.SelfSigned;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.PfxOptions;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reported reasons of a failed webhook. */
class WebhookReasonTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        NotifyHarness.await(vertx.close());
    }

    /** Without the address before it. */
    private String reason(String address, Duration timeout) {
        NotifySpec receiver = new NotifySpec(
                Optional.of(address),
                Optional.empty(),
                List.of("notice"),
                Optional.empty(),
                Optional.empty(),
                Map.of());
        StoredEvent event = new StoredEvent("r", 1, Instant.EPOCH, "notice", 1, Json.MAPPER.createObjectNode());
        Webhook webhook = new Webhook(vertx, Map.of(), timeout);
        Message message = Message.of(event, "x", Optional.empty());
        DeliveryOutcome outcome = NotifyHarness.await(webhook.post(
                receiver,
                message,
                message.post(receiver, OptionalDouble.empty(), 0, List.of()).orElseThrow()));
        webhook.close();
        String text = outcome.text();
        assertThat(text).startsWith(Endpoint.label(URI.create(address))).doesNotContain("secret");
        return text.substring(Endpoint.label(URI.create(address)).length());
    }

    private String reason(String scheme, int port) {
        return reason(scheme + "://127.0.0.1:" + port + "/secret", SOON);
    }

    private int listening(Consumer<NetSocket> taken) {
        NetServer server = vertx.createNetServer().connectHandler(taken::accept);
        return NotifyHarness.await(server.listen(0, "127.0.0.1")).actualPort();
    }

    private static Consumer<NetSocket> saying(String text) {
        return socket -> socket.handler(request -> ignoreFailure(socket.write(text)));
    }

    private static void ignoreFailure(Future<Void> sent) {
        sent.onFailure(gone -> {});
    }

    @Test
    void reportsAClosedPort() {
        assertThat(reason("http", FreePorts.next())).isEqualTo(": connection refused; no server listens on this port");
    }

    @Test
    void anAnswerDoesNotCome() {
        int port = listening(socket -> {});
        assertThat(reason("http://127.0.0.1:" + port + "/secret", Duration.ofSeconds(3)))
                .isEqualTo(": no complete answer within 3 s");
    }

    @Test
    void itHangsUp() {
        int port = listening(socket -> socket.handler(request -> ignoreFailure(socket.close())));
        assertThat(reason("http", port)).isEqualTo(": the server closed the connection without an answer");
    }

    @Test
    void itSpeaksNoHttp() {
        assertThat(reason("http", listening(saying("220 mail ready\r\n\r\n")))).isEqualTo(": the answer is not HTTP");
    }

    @Test
    void itSpeaksNoTls() {
        assertThat(reason("https", listening(saying("HTTP/1.1 400 Bad Request\r\n\r\n"))))
                .isEqualTo(": TLS handshake failed: the answer is not TLS");
    }

    @ParameterizedTest
    @ValueSource(ints = {503, 404, 302})
    void itAnswersWithAnotherStatus(int status) {
        int port = listening(saying("HTTP/1.1 " + status + " Whatever\r\nContent-Length: 0\r\n\r\n"));
        assertThat(reason("http", port)).isEqualTo(" answers with HTTP status " + status);
    }

    @Test
    void reportsAnUntrustedCertificate(@TempDir Path folder) throws Exception {
        Path store = SelfSigned.in(folder, "hooks.test");
        HttpServerOptions secure = new HttpServerOptions()
                .setSsl(true)
                .setKeyCertOptions(new PfxOptions().setPath(store.toString()).setPassword(SelfSigned.PASSWORD));
        int port = NotifyHarness.await(vertx.createHttpServer(secure)
                        .requestHandler(
                                request -> ignoreFailure(request.response().end(Buffer.buffer())))
                        .listen(0, "127.0.0.1"))
                .actualPort();
        assertThat(reason("https", port))
                .isEqualTo(": TLS handshake failed: unable to find valid certification path to requested target");
    }

    /** What no test can bring about on every machine. */
    @Test
    void reportsWhyAConnectionFails() {
        assertThat(List.of(
                        new UnknownHostException("Failed to resolve 'hooks.example' [A(1)] after 2 queries"),
                        new NoRouteToHostException("No route to host: hooks.example/192.0.2.1:80"),
                        new SocketException("Network is unreachable: hooks.example/192.0.2.1:80"),
                        new ConnectException("Connection timed out: hooks.example/192.0.2.1:80"),
                        new SocketException("Connection reset"),
                        new SSLHandshakeException("Received fatal alert: handshake_failure"),
                        new IllegalStateException("of a class that nobody has thought of")))
                .extracting(PostFailure::of)
                .containsExactly(
                        "the host name cannot be resolved",
                        "no route to the host",
                        "no route to the host",
                        "the connection failed",
                        "the server closed the connection without an answer",
                        "TLS handshake failed: Received fatal alert: handshake_failure",
                        "the connection was lost");
    }

    /** The queue of callers that want to be connected is full, so the next one is left to wait. */
    @Test
    void itTakesNoConnection() throws IOException {
        List<Socket> waiting = new ArrayList<>();
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            while (connects(full, waiting)) {
                assertThat(waiting).hasSizeLessThan(100);
            }
            String address = "http://127.0.0.1:" + full.getLocalPort() + "/secret";
            assertThat(reason(address, Duration.ofSeconds(1))).isEqualTo(": no connection within 1 s");
        } finally {
            for (Socket each : waiting) {
                each.close();
            }
        }
    }

    private static boolean connects(ServerSocket to, List<Socket> waiting) {
        Socket next = new Socket();
        waiting.add(next);
        try {
            next.connect(to.getLocalSocketAddress(), 500);
            return true;
        } catch (IOException late) {
            return false;
        }
    }
}
