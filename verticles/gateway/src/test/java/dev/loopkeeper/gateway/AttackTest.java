package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.gateway.access.Admission;
import dev.loopkeeper.gateway.access.GatewayLimits;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.gateway.feed.FeedListener;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.client.HttpResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that mean harm, or do it: the server stays up, starts nothing, and answers the next one. */
class AttackTest {
    private static final String READER = "reader-0123456789abcdef";
    private static final Duration BRIEF = Duration.ofSeconds(2);

    @TempDir
    Path data;

    private GatewayFixture fixture;

    private void serve(UnaryOperator<GatewayOptions> change) {
        fixture = new GatewayFixture(data, change);
        fixture.scheduler.runs.put("run-1", TestRuns.run("run-1", "running"));
    }

    private void limited(UnaryOperator<GatewayLimits> change) {
        serve(options -> options.limited(change.apply(GatewayLimits.DEFAULTS)));
    }

    private void timed(Duration head, Duration idle) {
        limited(limits -> new GatewayLimits(
                limits.maxBodyBytes(), limits.requestsPerSecond(), limits.maxConnections(), head, idle));
    }

    @AfterEach
    void close() {
        assertThat(fixture.scheduler.wasCommanded()).isFalse();
        fixture.close();
    }

    private void stillAnswers() {
        assertThat(fixture.get("/runs/run-1").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/runs",
                "/runs/run-1/stop",
                "/runs/run-1/pause",
                "/runs/run-1/resume",
                "/processes/run-1/dev/kill",
                "/processes/reap"
            })
    void aTokenForReadingControlsNothing(String path) throws IOException {
        Path tokens = data.resolve("tokens");
        Files.writeString(tokens, READER + " read\n");
        serve(options -> options.on("127.0.0.1", Optional.of(tokens)));
        HttpResponse<Buffer> refused = GatewayFixture.soon(fixture.request(HttpMethod.POST, path)
                .putHeader("Content-Type", "application/json")
                .bearerTokenAuthentication(READER)
                .sendBuffer(Buffer.buffer("{\"manifest\":{}}")));
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.bodyAsString()).contains("forbidden-scope").doesNotContain(READER);
    }

    /** An exported run holds what events hide. */
    @Test
    void aTokenForReadingExportsNothing() throws IOException {
        Path tokens = data.resolve("tokens");
        Files.writeString(tokens, READER + " read\n");
        serve(options -> options.on("127.0.0.1", Optional.of(tokens)));
        HttpResponse<Buffer> refused = GatewayFixture.soon(fixture.request(HttpMethod.GET, "/runs/run-1/export")
                .bearerTokenAuthentication(READER)
                .send());
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.bodyAsString()).contains("forbidden-scope");
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", "%2e%2e", "..%2f..%2fetc", "%2e%2e%2fx", "a%00b", "a%2fb", "-x", ".hidden", "a%0ab"})
    void namesThatLeadElsewhereAreNotFound(String name) {
        serve(options -> options);
        for (String path : List.of(
                "/runs/" + name + "/events",
                "/runs/run-1/steps/" + name + "/log",
                "/runs/" + name + "/steps/x/log?stream=stdout")) {
            assertThat(fixture.get(path).statusCode()).as(path).isEqualTo(404);
        }
        assertThat(fixture.post("/processes/run-1/" + name + "/kill", "{}").statusCode())
                .isIn(404, 405);
    }

    @Test
    void aPageElsewhereCannotSendWhatNeedsNoPermission() {
        serve(options -> options);
        for (String type : List.of("text/plain", "application/x-www-form-urlencoded", "multipart/form-data")) {
            int status = GatewayFixture.soon(fixture.request(HttpMethod.POST, "/runs")
                            .putHeader("Content-Type", type)
                            .putHeader("Origin", "http://evil.example")
                            .sendBuffer(Buffer.buffer("{\"manifest\":{}}")))
                    .statusCode();
            assertThat(status).isEqualTo(403);
        }
    }

    @Test
    void aBodyOfHundredMegabytesIsRefusedUnread() throws IOException {
        serve(options -> options);
        try (RawClient client = new RawClient(fixture.gateway.port())) {
            client.send("POST /api/v1/runs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 104857600\r\n\r\n{\"manifest\":\"");
            assertThat(client.untilClosed()).startsWith("HTTP/1.1 413").contains("body-too-large");
        }
        stillAnswers();
    }

    /** Steadily, a byte at a time: what counts is when the head is whole. */
    @Test
    void aHeadThatDripsIsCutOff() throws IOException {
        timed(BRIEF, Duration.ofSeconds(60));
        try (RawClient client = new RawClient(fixture.gateway.port())) {
            client.send("GET /api/v1/runs/run-1 HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ");
            assertThat(client.untilClosed()).doesNotContain("200");
        }
        await().until(() -> fixture.gateway.connections() == 0);
        stillAnswers();
    }

    @Test
    void aBodyThatDripsIsAnsweredAndCutOff() throws IOException {
        timed(BRIEF, Duration.ofSeconds(60));
        try (RawClient client = new RawClient(fixture.gateway.port())) {
            client.send("POST /api/v1/runs/run-1/stop HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 100\r\n\r\n{\"reason\"");
            assertThat(client.untilClosed()).startsWith("HTTP/1.1 408").contains("request-timeout");
        }
        stillAnswers();
    }

    @Test
    void aConnectionThatAsksNothingMoreIsClosedButAFeedIsNot() throws IOException {
        timed(BRIEF, BRIEF);
        FeedListener feed = FeedListener.open(fixture, "");
        await().until(feed::hasSnapshot);
        try (RawClient client = new RawClient(fixture.gateway.port())) {
            client.send("GET /api/v1/runs/run-1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
            assertThat(client.untilClosed()).startsWith("HTTP/1.1 200");
        }
        fixture.happens(TestRuns.event("run-1", 1, "run.created"), TestRuns.run("run-1", "running"));
        await().until(() -> feed.messages.size() == 2);
        assertThat(feed.closed).isFalse();
    }

    @Test
    void closesConnectionsBeyondTheLimit() throws IOException {
        limited(limits -> limits.connections(2));
        try (RawClient two = new RawClient(fixture.gateway.port())) {
            try (RawClient one = new RawClient(fixture.gateway.port());
                    RawClient third = oneMore()) {
                assertThat(third.untilClosed()).doesNotContain("HTTP");
                one.send("GET /health");
            }
            await().until(() -> fixture.gateway.connections() == 1);
            two.send("GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
            assertThat(two.untilClosed()).startsWith("HTTP/1.1 200");
        }
        await().until(() -> fixture.gateway.connections() == 0);
    }

    private RawClient oneMore() throws IOException {
        await().until(() -> fixture.gateway.connections() == 2);
        return new RawClient(fixture.gateway.port());
    }

    @Test
    void tooManyRequestsGetARetryTime() {
        limited(limits -> limits.rate(1));
        List<HttpResponse<Buffer>> answers = new ArrayList<>(List.of(fixture.get("/runs/run-1")));
        // Each second one more is let in, and a machine in use may be slow to ask.
        await().pollInterval(Duration.ZERO).until(() -> {
            answers.add(fixture.get("/runs/run-1"));
            return answers.get(answers.size() - 1).statusCode() == 429;
        });
        HttpResponse<Buffer> refused = answers.get(answers.size() - 1);
        assertThat(answers.get(0).statusCode()).isEqualTo(200);
        assertThat(refused.getHeader("Retry-After")).isEqualTo("1");
        assertThat(GatewayFixture.json(refused).path("code").asText()).isEqualTo("too-many-requests");
        await().pollInterval(Duration.ofMillis(200))
                .until(() -> fixture.get("/runs/run-1").statusCode() == 200);
    }

    @Test
    void aBurstOfTenThousandRequestsIsAnswered() {
        serve(options -> options);
        List<Future<Integer>> answers = new ArrayList<>();
        for (int count = 0; count < 10_000; count++) {
            answers.add(fixture.client
                    .request(HttpMethod.GET, count % 2 == 0 ? "/api/v1/runs/run-1" : "/health/live")
                    .send()
                    .map(HttpResponse::statusCode));
        }
        // One after the other: the next is not far, however long all of them take.
        assertThat(answers).allMatch(answer -> GatewayFixture.soon(answer) == 200);
        stillAnswers();
    }

    @Test
    void workspacesElsewhereAreRefusedAlsoByLinks() throws IOException {
        Path inside = Files.createDirectories(data.resolve("allowed/project"));
        Path outside = Files.createDirectory(data.resolve("outside"));
        Files.createSymbolicLink(data.resolve("allowed/link"), outside);
        serve(options -> options.admitting(Admission.LOCAL.within(List.of(data.resolve("allowed")))));
        fixture.intake = (manifest, options) -> Future.succeededFuture(
                GatewayFixture.accepted(manifest, real(options.workspace().orElseThrow())));
        for (String elsewhere : List.of("outside", "allowed/link", "allowed/../outside", "")) {
            for (String path : List.of("/runs", "/manifests/check")) {
                HttpResponse<Buffer> refused = submitted(path, data.resolve(elsewhere));
                assertThat(refused.statusCode()).as(elsewhere).isEqualTo(403);
                assertThat(GatewayFixture.json(refused).path("code").asText()).isEqualTo("forbidden-workspace");
            }
        }
        for (String elsewhere : List.of("outside", "allowed/link", "allowed/../absent")) {
            HttpResponse<Buffer> refused = scheduled(data.resolve(elsewhere));
            assertThat(refused.statusCode()).as(elsewhere).isEqualTo(403);
            assertThat(refused.bodyAsString())
                    .contains("schedule nightly: the workspace ", "name a folder in " + real(data + "/allowed"));
        }
        assertThat(scheduled(inside).statusCode()).isEqualTo(200);
        assertThat(fixture.scheduler.wasCommanded()).isFalse();
        assertThat(submitted("/runs", inside).statusCode()).isEqualTo(201);
        fixture.scheduler.asked.clear();
    }

    private HttpResponse<Buffer> scheduled(Path workspace) {
        return GatewayFixture.soon(fixture.request(HttpMethod.PUT, "/policy")
                .putHeader("Content-Type", "application/json")
                .sendBuffer(Buffer.buffer("{\"schedules\":[{\"name\":\"nightly\",\"cron\":\"@daily\","
                        + "\"manifest\":\"/m.yaml\",\"workspace\":\"" + workspace + "\"}]}")));
    }

    private HttpResponse<Buffer> submitted(String path, Path workspace) {
        return fixture.post(path, "{\"manifest\":{},\"workspace\":\"" + workspace + "\"}");
    }

    private static String real(String path) {
        try {
            return Path.of(path).toRealPath().toString();
        } catch (IOException absent) {
            throw new AssertionError(absent);
        }
    }
}
