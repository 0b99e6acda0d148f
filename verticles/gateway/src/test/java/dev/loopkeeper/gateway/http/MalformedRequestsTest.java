package dev.loopkeeper.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.loopkeeper.gateway.GatewayFixture;
import dev.loopkeeper.gateway.RawClient;
import dev.loopkeeper.gateway.TestRuns;
import dev.loopkeeper.json.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.client.HttpResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@Isolated("reads the log of the process, or changes what it has once")
class MalformedRequestsTest {
    @TempDir
    Path data;

    private GatewayFixture fixture;

    @BeforeEach
    void open() {
        fixture = GatewayFixture.plain(data);
        fixture.scheduler.runs.put("run-1", TestRuns.run("run-1", "running"));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET / HTTP/1.1~Connection: close                          | 400 | invalid-request
            GET /api/v1/runs/%zz HTTP/1.1~Host: [::1]~Connection: close| 400 | invalid-request
            GET / HTTP/1.1~Host: 127.0.0.1~Host: 127.0.0.1~Connection: close| 400 | invalid-request
            GET / HTTP/1.1~Host: 127.0.0.1~Host: elsewhere~Connection: close| 400 | invalid-request
            NONSENSE                                                  | 400 | invalid-request
            POST /api/v1/runs HTTP/1.1~Host: 127.0.0.1~Content-Type: application/json~Content-Length: 2~Expect: x| 400 | invalid-request
            GET /LONG HTTP/1.1~Host: 127.0.0.1                         | 414 | uri-too-long
            GET / HTTP/1.1~Host: 127.0.0.1~Long: LONG                  | 431 | headers-too-large
            """)
    void evenWhatIsHardlyARequestIsAnsweredWithAProblem(String head, int status, String code) throws IOException {
        try (RawClient client = new RawClient(fixture.gateway.port())) {
            client.send(head.replace("~", "\r\n").replace("LONG", "x".repeat(100_000)) + "\r\n\r\n");
            String answer = client.untilClosed();
            assertThat(answer).contains(" " + status + " ").contains(ProblemJson.CONTENT_TYPE);
            String body = answer.substring(answer.indexOf("\r\n\r\n"), answer.lastIndexOf('}') + 1);
            assertThat(Json.MAPPER.readTree(body).path("code").asText()).isEqualTo(code);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/runs", "/none"})
    void everyAnswerHasADate(String path) {
        assertThat(fixture.get(path).getHeader("Date"))
                .matches("[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/runs", "/runs/run-1", "!/", "!/openapi.json", "!/health/live"})
    void headIsGetWithoutTheDocument(String path) {
        HttpResponse<Buffer> got = fixture.get(path);
        HttpResponse<Buffer> head =
                GatewayFixture.soon(fixture.request(HttpMethod.HEAD, path).send());
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.getHeader("Content-Type")).isEqualTo(got.getHeader("Content-Type"));
        assertThat(head.body()).isNull();
    }

    /** The page was below the API as well, so that a mistyped address answered 200. */
    @ParameterizedTest
    @ValueSource(strings = {"/", "/nope", "/assets/0/app.js", "/../v1/", "/runs/run-1/nope"})
    void whatTheApiDoesNotHaveIsNotFound(String path) {
        HttpResponse<Buffer> answer = fixture.get(path);
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.getHeader("Content-Type")).isEqualTo(ProblemJson.CONTENT_TYPE);
        assertThat(GatewayFixture.json(answer).path("code").asText()).isEqualTo("not-found");
    }

    @Test
    void headOfAnEndlessDocumentIsRefusedRatherThanBegun() {
        HttpResponse<Buffer> head =
                GatewayFixture.soon(fixture.request(HttpMethod.HEAD, "/stream").send());
        assertThat(head.statusCode()).isEqualTo(405);
        assertThat(head.getHeader("Allow")).isEqualTo("GET");
    }

    @Test
    void aMalformedChunkIsNoErrorOfTheServer() throws IOException {
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.list = new CopyOnWriteArrayList<>();
        Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        logged.start();
        root.addAppender(logged);
        try (RawClient client = new RawClient(fixture.gateway.port())) {
            String head = "POST /api/v1/runs HTTP/1.1~Host: 127.0.0.1~Content-Type: application/json~";
            client.send((head + "Transfer-Encoding: chunked~~zz~{}~0~~").replace("~", "\r\n"));
            assertThat(client.untilClosed()).doesNotContain(" 500 ");
        }
        fixture.close();
        root.detachAppender(logged);
        assertThat(logged.list).noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.WARN));
    }

    /** It was logged as an error, once for each client that broke off. */
    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 1000~~{", "Transfer-Encoding: chunked~~1~{~"})
    void aClientThatLeavesBeforeItsBodyIsWholeIsNoError(String rest) throws IOException {
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.list = new CopyOnWriteArrayList<>();
        Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        Logger gone = (Logger) LoggerFactory.getLogger(ClientGone.class);
        Level before = gone.getLevel();
        gone.setLevel(Level.DEBUG);
        logged.start();
        root.addAppender(logged);
        try (RawClient client = new RawClient(fixture.gateway.port())) {
            String head =
                    "POST /api/v1/runs HTTP/1.1~Host: 127.0.0.1~Content-Type: application/json~Expect: 100-continue~";
            client.send((head + rest).replace("~", "\r\n"));
            assertThat(client.until("\r\n")).contains(" 100 ");
        }
        await().until(() -> logged.list.stream().anyMatch(event -> event.getThrowableProxy() != null));
        root.detachAppender(logged);
        gone.setLevel(before);
        assertThat(logged.list).noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.WARN));
        assertThat(fixture.scheduler.wasCommanded()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/runs?status=nope", "/runs/run-1/events?since=x", "/runs/nope", "/nope"})
    void aRefusedRequestWithoutABodyKeepsItsConnection(String path) {
        HttpResponse<Buffer> refused = fixture.get(path);
        assertThat(refused.statusCode()).isBetween(400, 404);
        assertThat(refused.getHeader("Connection")).isNull();
    }
}
