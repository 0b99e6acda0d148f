package dev.loopkeeper.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.gateway.FakeScheduler;
import dev.loopkeeper.gateway.GatewayFixture;
import dev.loopkeeper.gateway.RawClient;
import dev.loopkeeper.gateway.TestRuns;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.manifest.read.DocumentReading;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.manifest.read.ManifestReader;
import dev.loopkeeper.manifest.read.ManifestReading;
import dev.loopkeeper.manifest.read.ManifestText;
import dev.loopkeeper.manifest.read.SourcePosition;
import dev.loopkeeper.store.PrunedRuns;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.submit.Submission;
import dev.loopkeeper.termination.RefusalCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.client.HttpResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ProblemsTest {
    @TempDir
    Path data;

    private GatewayFixture fixture;

    @BeforeEach
    void open() {
        serve(options -> options);
    }

    private void serve(UnaryOperator<GatewayOptions> change) {
        fixture = new GatewayFixture(data, change);
        fixture.scheduler.runs.put("run-1", TestRuns.run("run-1", "running"));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @CanIgnoreReturnValue
    private static JsonNode problem(HttpResponse<Buffer> response, int status, String code) {
        assertThat(response.getHeader("Content-Type")).isEqualTo("application/problem+json");
        JsonNode problem = GatewayFixture.json(response);
        assertThat(problem.path("code").asText()).as(problem.toString()).isEqualTo(code);
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(problem.path("status").asInt()).isEqualTo(status);
        assertThat(problem.path("type").asText()).isEqualTo("urn:loopkeeper:problem:" + code);
        assertThat(problem.path("title").asText()).isNotBlank();
        assertThat(problem.path("detail").asText()).isNotBlank();
        return problem;
    }

    @Test
    void whatIsNotThereIsNotFound() {
        problem(fixture.get("/runs/none"), 404, "not-found");
        problem(fixture.get("/runs/none/events"), 404, "not-found");
        problem(fixture.get("/runs/none/receipts"), 404, "not-found");
        problem(fixture.get("/nowhere"), 404, "not-found");
        problem(fixture.get("!/elsewhere"), 404, "not-found");
        problem(fixture.get("/runs/run-1/steps/none"), 404, "not-found");
        problem(fixture.get("/runs/..%2f..%2fetc/events"), 404, "not-found");
        problem(fixture.get("/runs/-rf/checkpoint"), 404, "not-found");
    }

    @Test
    void aWrongMethodNamesTheRightOnes() {
        HttpResponse<Buffer> response =
                GatewayFixture.soon(fixture.request(HttpMethod.DELETE, "/runs").send());
        problem(response, 405, "method-not-allowed");
        assertThat(response.getHeader("Allow")).isEqualTo("GET, HEAD, POST");
    }

    @Test
    void bodiesOfOtherTypesAreRefused() {
        problem(
                GatewayFixture.soon(fixture.request(HttpMethod.POST, "/runs/run-1/stop")
                        .putHeader("Content-Type", "text/plain")
                        .sendBuffer(Buffer.buffer("{}"))),
                415,
                "unsupported-media-type");
        problem(
                GatewayFixture.soon(
                        fixture.request(HttpMethod.POST, "/runs/run-1/stop").sendBuffer(Buffer.buffer("{}"))),
                415,
                "unsupported-media-type");
        assertThat(fixture.scheduler.wasCommanded()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /runs              | {"manifest":            | line 1
            /runs              | []                      | one JSON object
            /runs              | {}                      | manifest
            /runs              | {"manifest":7}          | manifest
            /runs              | {"manifest":{},"vars":3} | vars
            /runs              | {"manifest":{},"vars":{"a":[]}} | vars.a
            /runs              | {"manifest":{},"start":"yes"} | start
            /runs              | {"manifest":{},"runId":"../x"} | runId
            /runs              | {"manifest":{},"runId":"a","runId":"b"} | runId
            /runs              | {"manifest":{},"workspce":"x"} | workspace
            /runs/run-1/stop   | {"resaon":"x"}          | reason
            /runs/run-1/stop   | {"now":1}               | now
            /runs/run-1/pause  | {"reason":[]}           | reason
            /runs/run-1/resume | {"maxIterations":-1}    | maxIterations
            /runs/run-1/resume | {"maxIterations":1.5}   | maxIterations
            /runs/run-1/resume | {"maxAttempts":0}       | maxAttempts
            /runs/run-1/resume | {"budget":{"costUsd":-1}} | budget.costUsd
            /runs/run-1/resume | {"budget":{"cost":1}}   | budget.cost
            /runs/run-1/resume | {"resetItems":"a"}      | resetItems
            /runs/run-1/resume | {"stopConditions":{"maxRetryRate":2}} | stopConditions.maxRetryRate
            /runs/run-1/resume | {"action":"contnue"}    | continue
            /runs/run-1/stop?wait=0s | {}                | wait
            /runs/run-1/stop?wait=301s | {}              | wait must be a duration from 1ms to 5m
            /runs/run-1/stop?wait= | {}                  | wait
            /runs/run-1/stop?now=true | {}               | now is not a known query parameter
            /runs/run-1/end    | {}                      | reason is missing
            /runs/run-1/end    | {"reason":"halted"}     | summary is missing
            /runs/run-1/end    | {"reason":"halted","sumary":"x"} | summary
            /processes/reap?dryrun=1 | {}                | dryrun is not a known query parameter
            /runs/run-1/stop?wait=soon | {}              | wait
            """)
    void aBadBodyIsRefusedWithItsPosition(String path, String body, String named) {
        JsonNode problem = problem(fixture.post(path, body), 400, "invalid-request");
        assertThat(problem.path("detail").asText()).contains(named);
        assertThat(fixture.scheduler.wasCommanded()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "/runs?limit=0",
        "/runs?limit=x",
        "/runs?limit=%D9%A3",
        "/runs?status=pausd",
        "/runs?stauts=paused",
        "/runs/run-1?for=ended",
        "/runs/run-1?wait=5m1s",
        "/runs/run-1?wait=301s",
        "/runs/run-1?wait=0s",
        "/runs/run-1?wait=",
        "/runs/run-1?wait=30",
        "/runs/run-1?wait=1s&for=over",
        "/runs/run-1?wait=1s&wait=2s",
        "/runs/run-1/explain?x=1",
        "/processes?runn=1",
        "/nodes?all",
        "/feed?runId=run-1",
        "!/health/live?verbose=1",
        "!/health/ready?x",
        "!/metrics?x=1",
        "!/openapi.json?v=1",
        "/runs/run-1/events?since=-1",
        "/runs/run-1/events?limit=-5",
        "/runs/run-1/steps?limit=0",
        "/runs/run-1/steps?limit=1001",
        "/runs/run-1/steps?before=9",
        "/runs/run-1/steps?since=1",
        "/runs/run-1/iterations?before=0",
        "/runs/run-1/iterations?cursor=newest",
        "/runs/run-1/iterations?cursor=7&before=9",
        "/runs/run-1/items?cursor=-1",
        "/runs/run-1/receipts?since=1",
        "/runs/run-1/steps/s/log?offset=-1",
        "/runs/run-1/steps/s/log?stream=stdin",
        "/runs/run-1/steps/s/log?follow=maybe",
        "/feed?since=yesterday",
        "/stream?since=-4",
        "/stream?since=%D9%A3",
        "/stream?runs=a%20b"
    })
    void aBadQueryIsRefused(String path) {
        HttpResponse<Buffer> response = path.startsWith("/feed")
                ? GatewayFixture.soon(fixture.request(HttpMethod.GET, path)
                        .putHeader("Upgrade", "websocket")
                        .putHeader("Connection", "Upgrade")
                        .send())
                : fixture.get(path);
        problem(response, 400, "invalid-request");
    }

    /** Chat programs add parameters to links. */
    @Test
    void opensThePageWithAnyQuery() {
        assertThat(fixture.get("!/?lang=en").statusCode()).isEqualTo(200);
    }

    @Test
    void anUnknownQueryParameterNamesTheNearest() {
        JsonNode problem = problem(fixture.get("/runs?stauts=paused"), 400, "invalid-request");
        assertThat(problem.path("detail").asText())
                .isEqualTo("stauts is not a known query parameter; did you mean status?");
        assertThat(problem.path("path").asText()).isEqualTo("stauts");
    }

    @Test
    void aBodyOfNullIsNoBody() {
        assertThat(fixture.post("/runs/run-1/stop", "null").statusCode()).isEqualTo(202);
        assertThat(fixture.post("/runs/run-1/pause", " null ").statusCode()).isEqualTo(202);
        assertThat(fixture.post("/runs/run-1/resume", "null").statusCode()).isEqualTo(202);
        assertThat(problem(fixture.post("/runs", "null"), 400, "invalid-request")
                        .path("detail")
                        .asText())
                .contains("manifest");
    }

    @Test
    void aFeedWithoutAWebSocketRequiresOne() {
        problem(fixture.get("/feed"), 426, "upgrade-required");
    }

    /** They had no problem document. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Upgrade | 13 |                          | 400
            Upgrade |  5 | dGhlIHNhbXBsZSBub25jZQ== | 426
            Upgrade |    | dGhlIHNhbXBsZSBub25jZQ== | 426
            close   | 13 | dGhlIHNhbXBsZSBub25jZQ== | 400
            """)
    void aMalformedUpgradeIsAProblemToo(String connection, String version, String key, int status) throws IOException {
        try (RawClient client = new RawClient(fixture.gateway.port())) {
            client.send("GET /api/v1/feed HTTP/1.1\r\nHost: 127.0.0.1:" + fixture.gateway.port()
                    + "\r\nUpgrade: websocket\r\nConnection: " + connection + "\r\n"
                    + (version == null ? "" : "Sec-WebSocket-Version: " + version + "\r\n")
                    + (key == null ? "" : "Sec-WebSocket-Key: " + key + "\r\n") + "\r\n");

            String head = client.until("\r\n\r\n").toLowerCase(Locale.ROOT);

            assertThat(head).startsWith("http/1.1 " + status).contains("content-type: application/problem+json");
            assertThat(client.until("}")).contains(status == 400 ? "invalid-request" : "upgrade-required");
            assertThat(head.contains("sec-websocket-version: 13")).isEqualTo(status == 426);
        }
    }

    @Test
    void aBodyTooLargeIsRefusedUnread() {
        String body = "{\"manifest\":\"" + "x".repeat(5 << 20) + "\"}";
        problem(fixture.post("/runs", body), 413, "body-too-large");
    }

    @Test
    void aBodyOfUnknownLengthIsReadNoFurtherThanAllowed() {
        Buffer large = Buffer.buffer("{\"manifest\":\"" + "x".repeat(5 << 20) + "\"}");
        int status = GatewayFixture.soon(fixture.vertx
                .createHttpClient()
                .request(HttpMethod.POST, fixture.gateway.port(), "127.0.0.1", "/api/v1/runs")
                .compose(request -> {
                    request.putHeader("Content-Type", "application/json").setChunked(true);
                    request.end(large).onFailure(cause -> assertThat(cause).isNotNull());
                    return request.response();
                })
                .map(response -> response.statusCode()));
        assertThat(status).isEqualTo(413);
        assertThat(fixture.scheduler.wasCommanded()).isFalse();
    }

    @Test
    void aBadManifestNamesEachProblem() {
        fixture.intake = (manifest, options) -> Future.succeededFuture(new Submission.Refused(List.of(
                new ManifestProblem("phases[0].lop", SourcePosition.UNKNOWN, "is not known", Optional.of("loop")),
                new ManifestProblem("agents", SourcePosition.UNKNOWN, "is missing", Optional.empty()))));
        JsonNode errors = problem(fixture.post("/runs", "{\"manifest\":{}}"), 400, "invalid-manifest")
                .path("errors");
        assertThat(errors.toString())
                .isEqualTo("[{\"path\":\"phases[0].lop\",\"message\":\"is not known\",\"suggestion\":\"loop\"},"
                        + "{\"path\":\"agents\",\"message\":\"is missing\"}]");
    }

    private static ManifestReading read(String text) {
        DocumentReading.Parsed parsed = (DocumentReading.Parsed) ManifestText.parse(text);
        return ManifestReader.read(parsed.document(), parsed.sources());
    }

    @Test
    void aBadManifestNamesLineAndColumn() {
        fixture.intake = (manifest, options) -> Future.succeededFuture(
                new Submission.Refused(((ManifestReading.Invalid) read(manifest.textValue())).problems()));
        JsonNode errors = problem(
                        fixture.post("/runs", "{\"manifest\":\"name: x\\nagent: {}\"}"), 400, "invalid-manifest")
                .path("errors");
        assertThat(errors.findValuesAsText("line")).containsExactly("1", "1", "2");
        assertThat(errors.findValuesAsText("column")).containsExactly("1", "1", "1");
        assertThat(errors.path(2).path("suggestion").asText()).isEqualTo("agents");
    }

    @Test
    void checkingAManifestReportsAllProblemsAndStartsNothing() {
        SourcePosition position = new SourcePosition(Optional.empty(), Optional.of(new SourcePosition.Mark(3, 24)));
        ManifestProblem found = new ManifestProblem("phases[0].taks", position, "unknown key", Optional.of("task"));
        fixture.intake = (manifest, options) -> {
            assertThat(options.workspace()).contains("/w");
            assertThat(options.vars()).containsExactly(Map.entry("a", "1"));
            return Future.succeededFuture(
                    manifest.isTextual()
                            ? new Submission.Refused(List.of(found))
                            : GatewayFixture.accepted(manifest, "/w", found));
        };
        String with = ",\"workspace\":\"/w\",\"vars\":{\"a\":1}}";
        String text = "[{\"path\":\"phases[0].taks\",\"line\":3,\"column\":24,\"message\":\"unknown key\","
                + "\"suggestion\":\"task\"}]";
        HttpResponse<Buffer> bad = fixture.post("/manifests/check", "{\"manifest\":\"x\"" + with);
        assertThat(bad.statusCode()).isEqualTo(200);
        assertThat(bad.bodyAsString()).isEqualTo("{\"errors\":" + text + ",\"warnings\":[]}");
        HttpResponse<Buffer> good = fixture.post("/manifests/check", "{\"manifest\":{}" + with);
        assertThat(good.bodyAsString()).isEqualTo("{\"errors\":[],\"warnings\":" + text + "}");
        assertThat(fixture.scheduler.wasCommanded()).isFalse();
        problem(fixture.post("/manifests/check", "{}"), 400, "invalid-request");
        problem(fixture.post("/manifests/check", "{\"manifest\":{},\"start\":true}"), 400, "invalid-request");
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "NOT_FOUND",
                "RUN_EXISTS",
                "INVALID_MANIFEST",
                "INVALID_REQUEST",
                "ACTION_NOT_ALLOWED",
                "RESUME_PRECONDITION",
                "NOT_RESUMABLE",
                "NOT_STOPPABLE",
                "NOT_PAUSABLE",
                "DRAINING",
                "STORE_UNAVAILABLE"
            })
    void aRefusalOfTheSchedulerKeepsItsCodeAndDetails(RefusalCode code) {
        fixture.scheduler.refusal = FakeScheduler.refusing(code, Map.of("allowedActions", List.of("continue")));
        JsonNode problem = problem(fixture.post("/runs/run-1/resume", "{}"), code.status(), code.wire());
        assertThat(problem.path("allowedActions").path(0).asText()).isEqualTo("continue");
    }

    @Test
    void anUnknownActionIsRefusedWithTheAllowedOnes() {
        fixture.scheduler.runs.put("run-2", TestRuns.paused("run-2", "anomaly", "continue", "stop_loop_now"));
        JsonNode problem =
                problem(fixture.post("/runs/run-2/resume", "{\"action\":\"explode\"}"), 409, "action-not-allowed");
        assertThat(problem.path("allowedActions").toString()).isEqualTo("[\"continue\",\"stop_loop_now\"]");
        problem(fixture.post("/runs/none/resume", "{\"action\":\"explode\"}"), 404, "not-found");
    }

    /** It was an internal error, which the description of a prune does not know. */
    @Test
    void aStoreThatRefusesBehindTheBusIsUnavailableToo() {
        Future<PrunedRuns> full = Future.failedFuture(new StoreException("/secret/place is full", null));
        GatewayFixture.soon(StoreChannels.PRUNE.serve(fixture.vertx.eventBus(), question -> full));
        problem(fixture.post("/runs/prune", "{}"), 503, "store-unavailable");
    }

    @Test
    void anUnavailableStoreIsToBeAskedAgain() {
        fixture.store.fail(new StoreUnavailableException("no route to secret-host", null));
        for (String path : List.of("/runs/run-1/events", "/health/ready")) {
            JsonNode problem = problem(fixture.get(path), 503, "store-unavailable");
            assertThat(problem.path("detail").asText()).contains("retry").doesNotContain("secret");
        }
    }

    @Test
    void aDamagedRecordNamesItsLocationAndRemedy() {
        String found = "data/events.db: the row of run run-1 is damaged. Restore the file from a backup.";
        fixture.store.fail(StoreException.ofDamagedRecord(found));
        JsonNode problem = problem(fixture.get("/runs/run-1/events"), 503, "store-unavailable");
        assertThat(problem.path("detail").asText()).isEqualTo(found);
    }

    @Test
    void aRecordOfANewerVersionIsNoInternalError() {
        StoredEvent later = TestRuns.event("run-1", 1, "iteration.started");
        ((ObjectNode) later.data()).put("formatVersion", 99);
        GatewayFixture.soon(fixture.bus.append(TestRuns.append(later, TestRuns.run("run-1", "running"))));
        JsonNode problem = problem(fixture.get("/runs/run-1/iterations"), 503, "store-unavailable");
        assertThat(problem.path("detail").asText())
                .contains("an event of format 99", "use the version of Loopkeeper that wrote it");
    }

    @Test
    void aSilentSchedulerIsATimeout() {
        fixture.close();
        serve(options -> options.patient(Duration.ofMillis(400)));
        fixture.scheduler.instead = question -> question instanceof StopRun
                ? Optional.of(Promise.<RunAnswer>promise().future())
                : Optional.empty();
        problem(fixture.post("/runs/run-1/stop", ""), 504, "timeout");
    }

    @Test
    void aBrokenPartIsNamedWithoutItsSecrets() {
        fixture.scheduler.instead =
                question -> Optional.of(Future.failedFuture(new IllegalStateException("password=hunter2")));
        JsonNode problem = problem(fixture.get("/runs/run-1"), 500, "internal-error");
        assertThat(problem.toString()).doesNotContain("hunter2").doesNotContain("Exception");
        fixture.store.fail(new StoreException("/secret/place is gone", null));
        JsonNode unavailable = problem(fixture.get("/runs/run-1/events"), 503, "store-unavailable");
        assertThat(unavailable.toString()).doesNotContain("/secret");
    }

    @Test
    void readinessFollowsTheStoreTheDiskAndTheDraining() throws IOException {
        assertThat(fixture.get("!/health/live").statusCode()).isEqualTo(200);
        assertThat(fixture.get("/health/ready").statusCode()).isEqualTo(200);
        fixture.draining = true;
        problem(fixture.get("!/health/ready"), 503, "draining");
        fixture.draining = false;
        assertThat(data).isEmptyDirectory();
        Files.delete(data);
        problem(fixture.get("!/health/ready"), 503, "store-unavailable");
        Files.createDirectory(data);
        assertThat(fixture.get("/health/ready").statusCode()).isEqualTo(200);
        fixture.store.fail(new StoreException("/secret/place is gone", null));
        problem(fixture.get("!/health/ready"), 503, "store-unavailable");
        assertThat(fixture.get("!/health/live").statusCode()).isEqualTo(200);
    }
}
