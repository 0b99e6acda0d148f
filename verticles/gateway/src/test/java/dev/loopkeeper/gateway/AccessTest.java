package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.FreePorts;
import dev.loopkeeper.contract.RunChannels.PauseRun;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.gateway.access.PublicAddress;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.ext.web.client.HttpResponse;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTest {
    private static final String READER = "reader-0123456789abcdef";
    private static final String OPERATOR = "operator-0123456789abcdef";

    @TempDir
    Path data;

    private GatewayFixture fixture;

    private void local() {
        fixture = GatewayFixture.plain(data);
        fixture.scheduler.runs.put("run-1", TestRuns.run("run-1", "running"));
    }

    @AfterEach
    void close() {
        if (fixture != null) {
            fixture.close();
        }
    }

    private HttpResponse<Buffer> with(HttpMethod method, String path, String header, String value) {
        return GatewayFixture.soon(
                fixture.request(method, path).putHeader(header, value).send());
    }

    private static String code(HttpResponse<Buffer> response) {
        return GatewayFixture.json(response).path("code").asText();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil:1", "10.0.0.1"})
    void aForeignHostIsRefused(String host) {
        local();
        HttpResponse<Buffer> response = with(HttpMethod.GET, "/runs/run-1", "Host", host);
        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(code(response)).isEqualTo("forbidden-host");
        assertThat(with(HttpMethod.GET, "!/health/live", "Host", host).statusCode())
                .isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:9", "[::1]", "[::1]:8080"})
    void theNamesOfThisMachineAreLetIn(String host) {
        local();
        assertThat(with(HttpMethod.GET, "/runs/run-1", "Host", host).statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://evil.example", "null", "http://127.0.0.1:1", "https://localhost", "::"})
    void aForeignOriginMayNotChangeAnything(String origin) {
        local();
        HttpResponse<Buffer> response = with(HttpMethod.POST, "/runs/run-1/stop", "Origin", origin);
        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(code(response)).isEqualTo("forbidden-origin");
        assertThat(fixture.scheduler.wasCommanded()).isFalse();
    }

    @Test
    void theOwnOriginMay() {
        local();
        String own = "http://127.0.0.1:" + fixture.gateway.port();
        assertThat(with(HttpMethod.POST, "/runs/run-1/stop", "Origin", own).statusCode())
                .isEqualTo(202);
    }

    private void behindAProxy(String publicUrl) {
        fixture = new GatewayFixture(
                data,
                options -> options.admitting(options.admission()
                        .reachedAt(PublicAddress.of(publicUrl).orElseThrow())));
        fixture.scheduler.runs.put("run-1", TestRuns.run("run-1", "running"));
    }

    private int stopped(String host, String origin) {
        return GatewayFixture.soon(fixture.request(HttpMethod.POST, "/runs/run-1/stop")
                        .putHeader("Host", host)
                        .putHeader("Origin", origin)
                        .send())
                .statusCode();
    }

    @ParameterizedTest
    @ValueSource(strings = {"loops.example", "LOOPS.example", "loops.example:443", "127.0.0.1:7420"})
    void aProxyMayHandTheHostOnOrPutItsOwn(String host) {
        behindAProxy("https://Loops.example:443/");
        assertThat(stopped(host, "https://loops.example")).isEqualTo(202);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://loops.example",
                "https://loops.example:8443",
                "https://loops.example.evil.example",
                "https://evil.example",
                "null"
            })
    void behindAProxyOnlyThePublicOriginMayChangeAnything(String origin) {
        behindAProxy("https://loops.example");
        assertThat(stopped("loops.example", origin)).isEqualTo(403);
        assertThat(stopped("127.0.0.1:7420", origin)).isEqualTo(403);
        assertThat(stopped("evil.example", "https://loops.example")).isEqualTo(403);
        assertThat(fixture.scheduler.wasCommanded()).isFalse();
    }

    @Test
    void aPageOfThePublicAddressOpensAWebSocket() {
        behindAProxy("http://loops.example:8080");
        GatewayFixture.soon(fixture.sockets.connect(new WebSocketConnectOptions()
                .setHost("127.0.0.1")
                .setPort(fixture.gateway.port())
                .setURI("/feed")
                .addHeader("Host", "loops.example:8080")
                .addHeader("Origin", "http://loops.example:8080")
                .setAllowOriginHeader(true)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "loops.example",
                "ftp://loops.example",
                "https://",
                "https://loops.example/below",
                "https://loops.example?x",
                "https://loops.example#x",
                "https://me@loops.example",
                "https://a b"
            })
    void acceptsNoInvalidDashboardUrl(String text) {
        assertThat(PublicAddress.of(text)).isEmpty();
    }

    @Test
    void aForeignPageCannotOpenAWebSocket() {
        local();
        WebSocketConnectOptions options = new WebSocketConnectOptions()
                .setHost("127.0.0.1")
                .setPort(fixture.gateway.port())
                .setURI("/feed");
        assertThat(GatewayFixture.soon(fixture.sockets
                        .connect(new WebSocketConnectOptions(options)
                                .addHeader("Origin", "http://evil.example")
                                .setAllowOriginHeader(true))
                        .map(socket -> 101)
                        .recover(cause -> Future.succeededFuture(((UpgradeRejectedException) cause).getStatus()))))
                .isEqualTo(403);
        GatewayFixture.soon(fixture.sockets.connect(options));
    }

    @Test
    void tokensDecideThePermissions() throws IOException {
        Path tokens = data.resolve("tokens");
        Files.writeString(tokens, "# who\n" + READER + " read\n\n" + OPERATOR + "   control\n");
        fixture = new GatewayFixture(data, options -> options.on("127.0.0.1", Optional.of(tokens)));
        fixture.scheduler.runs.put("run-1", TestRuns.run("run-1", "running"));
        HttpResponse<Buffer> anonymous = fixture.get("/runs/run-1");
        assertThat(anonymous.statusCode()).isEqualTo(401);
        assertThat(anonymous.getHeader("WWW-Authenticate")).isEqualTo("Bearer");
        assertThat(as("wrong-0123456789abcdef", HttpMethod.GET, "/runs/run-1")).isEqualTo(401);
        assertThat(as(READER, HttpMethod.GET, "/runs/run-1")).isEqualTo(200);
        assertThat(as(READER, HttpMethod.POST, "/runs/run-1/stop")).isEqualTo(403);
        assertThat(fixture.scheduler.wasCommanded()).isFalse();
        assertThat(as(OPERATOR, HttpMethod.GET, "/runs/run-1")).isEqualTo(200);
        assertThat(as(OPERATOR, HttpMethod.POST, "/runs/run-1/stop")).isEqualTo(202);
        assertThat(fixture.get("!/feed").statusCode()).isEqualTo(401);
        assertThat(fixture.get("!/health/live").statusCode()).isEqualTo(200);
    }

    /** A page cannot give a WebSocket a header. */
    @Test
    void aWebSocketMayOfferItsTokenAsAProtocol() throws IOException {
        Path tokens = Files.writeString(data.resolve("tokens"), READER + " read\n");
        fixture = new GatewayFixture(data, options -> options.on("127.0.0.1", Optional.of(tokens)));
        assertThat(offering(READER)).isEqualTo("loopkeeper");
        assertThat(offering("wrong-0123456789abcdef")).isEqualTo("401");
        assertThat(offering("")).isEqualTo("401");
        String offer = "loopkeeper.bearer." + base64(READER);
        assertThat(with(HttpMethod.GET, "/runs", "Sec-WebSocket-Protocol", offer)
                        .statusCode())
                .isEqualTo(401);
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The protocol that was agreed on, or the status of the refusal. */
    private String offering(String token) {
        WebSocketConnectOptions options = new WebSocketConnectOptions()
                .setHost("127.0.0.1")
                .setPort(fixture.gateway.port())
                .setURI("/api/v1/feed")
                .addSubProtocol("loopkeeper")
                .addSubProtocol("loopkeeper.bearer." + base64(token));
        return GatewayFixture.soon(fixture.sockets
                .connect(options)
                .map(socket -> socket.subProtocol())
                .recover(cause ->
                        Future.succeededFuture(String.valueOf(((UpgradeRejectedException) cause).getStatus()))));
    }

    private int as(String token, HttpMethod method, String path) {
        return with(method, path, "Authorization", "Bearer " + token).statusCode();
    }

    private void served(String tokenFile) throws IOException {
        Path tokens = Files.writeString(data.resolve("tokens"), tokenFile);
        fixture = new GatewayFixture(data, options -> options.on("127.0.0.1", Optional.of(tokens)));
        fixture.scheduler.runs.put("run-1", TestRuns.run("run-1", "running"));
    }

    @Test
    void aTokenFileMayBeginWithAByteOrderMark() throws IOException {
        served("\uFEFF" + READER + " read\r\n" + OPERATOR + " control\r\n");
        assertThat(as(READER, HttpMethod.GET, "/runs/run-1")).isEqualTo(200);
        assertThat(as(OPERATOR, HttpMethod.GET, "/runs/run-1")).isEqualTo(200);
    }

    @Test
    void aCommandNamesTheTokenThatSendsIt() throws IOException {
        served(READER + " control alice\n" + OPERATOR + " control\n");

        assertThat(as(READER, HttpMethod.POST, "/runs/run-1/pause")).isEqualTo(202);
        assertThat(as(OPERATOR, HttpMethod.POST, "/runs/run-1/pause")).isEqualTo(202);

        assertThat(fixture.scheduler.asked)
                .filteredOn(PauseRun.class::isInstance)
                .extracting(question -> ((PauseRun) question).by())
                .containsExactly("alice", "control");
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "control", "link", "two words"})
    void aNameThatSaysSomethingElseIsRefused(String name) {
        assertThatThrownBy(() -> served(READER + " control " + name + "\n")).hasStackTraceContaining("[<name>]");
    }

    @Test
    void oneTokenWithTwoScopesIsRefused() {
        assertThatThrownBy(
                        () -> served("# who\n" + READER + " read\n" + OPERATOR + " control\n" + READER + " control\n"))
                .hasStackTraceContaining("lines 2 and 4 of " + data.resolve("tokens") + " give one token two scopes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/health/live", "/health/ready"})
    void aProbeOfHttp10NeedsNoHost(String path) throws IOException {
        local();
        try (RawClient client = new RawClient(fixture.gateway.port())) {
            client.send("GET " + path + " HTTP/1.0\r\n\r\n");
            assertThat(client.untilClosed()).startsWith("HTTP/1.0 200");
        }
    }

    @Test
    void withHttp11AHostIsNeeded() throws IOException {
        local();
        try (RawClient client = new RawClient(fixture.gateway.port())) {
            client.send("GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n");
            assertThat(client.untilClosed()).contains(" 400 ");
        }
        try (RawClient client = new RawClient(fixture.gateway.port())) {
            client.send("GET /health/live HTTP/1.0\r\nHost: evil.example\r\n\r\n");
            assertThat(client.untilClosed()).contains(" 403 ");
        }
    }

    @Test
    void anOpenAddressNeedsATokenFile() {
        assertThatThrownBy(() -> new GatewayFixture(data, options -> options.on("0.0.0.0", Optional.empty())))
                .hasStackTraceContaining("cannot listen on 0.0.0.0:0")
                .hasStackTraceContaining("pass --token-file");
    }

    @Test
    void aBadTokenFileIsRefusedWithoutItsContent() throws IOException {
        Path tokens = data.resolve("tokens");
        Files.writeString(tokens, READER + " read\nhunter2 admin\n");
        assertThatThrownBy(() -> new GatewayFixture(data, options -> options.on("127.0.0.1", Optional.of(tokens))))
                .hasStackTraceContaining("CannotServeException: cannot serve: line 2 of " + tokens)
                .satisfies(failure -> assertThat(failure.getMessage()).doesNotContain("hunter2"));
        assertThatThrownBy(() ->
                        new GatewayFixture(data, options -> options.on("127.0.0.1", Optional.of(data.resolve("none")))))
                .hasStackTraceContaining("cannot be read");
    }

    /** A port is tried before it is served at: a client of that moment would be taken, and cut off. */
    @Test
    void aClientThatConnectsWhileAPortIsTriedIsNotServed() throws Exception {
        int port = FreePorts.next();
        Gateway gateway = new Gateway(GatewayOptions.loopback(port, data));
        AtomicBoolean over = new AtomicBoolean();
        Vertx vertx = Vertx.vertx();
        CompletableFuture<Integer> taken = CompletableFuture.supplyAsync(() -> clientsTaken(port, over));
        for (int check = 0; check < 100; check++) {
            GatewayFixture.soon(gateway.check(vertx));
        }
        over.set(true);
        assertThat(taken.get(1, TimeUnit.MINUTES)).isZero();
        GatewayFixture.soon(vertx.close());
    }

    /** Until it is over. From another address: a socket may connect to itself. */
    private static int clientsTaken(int port, AtomicBoolean over) {
        int taken = 0;
        while (!over.get()) {
            try (Socket client = new Socket("127.0.0.1", port, InetAddress.getByName("127.0.0.2"), 0)) {
                taken += client.isConnected() ? 1 : 0;
            } catch (IOException refused) {
                // As it is to be.
            }
        }
        return taken;
    }

    @Test
    void aTakenPortIsNamedWithTheRemedy() {
        local();
        int port = fixture.gateway.port();
        assertThatThrownBy(() -> new GatewayFixture(data, options -> GatewayOptions.loopback(port, data)))
                .hasRootCauseInstanceOf(BindException.class)
                .hasStackTraceContaining("cannot listen on 127.0.0.1:" + port + ": the address is in use");
        assertThat(fixture.get("/runs/run-1").statusCode()).isEqualTo(200);
    }
}
