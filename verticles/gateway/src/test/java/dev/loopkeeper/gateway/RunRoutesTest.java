package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.contract.ClientEnvironment;
import dev.loopkeeper.contract.LoadedRuns;
import dev.loopkeeper.contract.RunChannels.ListSteps;
import dev.loopkeeper.contract.RunChannels.PauseRun;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.RunQuery;
import dev.loopkeeper.contract.RunChannels.StartRun;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.contract.ScheduleChannels;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.ManifestFile;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.run.ChangedManifest;
import dev.loopkeeper.run.Requester;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.statistics.StopConditionChanges;
import dev.loopkeeper.step.TraceContext;
import dev.loopkeeper.submit.Submission;
import dev.loopkeeper.submit.SubmitOptions;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.view.Activity;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.client.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunRoutesTest {
    private static final String RECEIPT = "{\"runId\":\"run-1\",\"requestedAt\":\"2026-11-20T15:12:33.120Z\","
            + "\"verifiedAt\":\"2026-11-20T15:12:34.120Z\",\"outcome\":\"gone\",\"processes\":[]}";

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

    @Test
    void theFirstPageOfRunsNamesTheSchedulesWhoseNewestFireFailed() throws Exception {
        assertThat(GatewayFixture.json(fixture.get("/runs")).has("schedules")).isFalse();
        JsonNode schedules = Json.MAPPER.readTree(
                "{\"schedules\":[{\"name\":\"nightly\",\"zone\":\"UTC\",\"attention\":\"no manifest\"},"
                        + "{\"name\":\"weekly\",\"zone\":\"UTC\",\"attention\":null}]}");
        GatewayFixture.soon(ScheduleChannels.LIST.serve(
                fixture.vertx.eventBus(), asked -> Future.succeededFuture(RunAnswer.of(schedules))));

        assertThat(GatewayFixture.json(fixture.get("/runs")).path("schedules"))
                .hasToString("[{\"name\":\"nightly\",\"attention\":\"no manifest\"}]");
    }

    @Test
    void aNewRunIsCreatedAndLocated() {
        AtomicReference<Object> vars = new AtomicReference<>();
        ManifestIntake usual = fixture.intake;
        fixture.intake = (manifest, given) -> {
            vars.set(given.vars());
            return usual.read(manifest, given);
        };
        HttpResponse<Buffer> response = fixture.post("/runs", """
                {"manifest": {"name": "demo"}, "workspace": "/w", "vars": {"a": "b", "n": 7}, "runId": "demo-1"}""");
        assertThat(response.statusCode()).isEqualTo(201);
        assertThat(response.getHeader("Location")).isEqualTo("/api/v1/runs/demo-1");
        assertThat(GatewayFixture.json(response).path("runId").asText()).isEqualTo("demo-1");
        StartRun asked = fixture.scheduler.last(StartRun.class);
        assertThat(asked)
                .isEqualTo(new StartRun(
                        Optional.of("demo-1"),
                        Json.MAPPER.createObjectNode().put("name", "demo"),
                        "/w",
                        "/work",
                        true,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Requester.LOCAL,
                        Optional.empty()));
        assertThat(vars.get()).isEqualTo(Map.of("a", "b", "n", "7"));
    }

    @Test
    void theHeadersOfATraceArePassedOnAndAnInvalidOneIsIgnored() {
        String parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        TraceContext trace = new TraceContext(parent, Optional.of("vendor=1"));
        Map<String, String> headers = Map.of("traceparent", parent, "tracestate", "vendor=1");

        assertThat(fixture.post("/runs", "{\"manifest\": {}}", headers).statusCode())
                .isEqualTo(201);
        assertThat(fixture.scheduler.last(StartRun.class).trace()).contains(trace);
        assertThat(fixture.post("/runs/run-1/resume", "{}", headers).statusCode())
                .isEqualTo(202);
        assertThat(fixture.scheduler.last(ResumeRun.class).request().trace()).contains(trace);
        assertThat(fixture.post("/runs", "{\"manifest\": {}}", Map.of("traceparent", "mine"))
                        .statusCode())
                .isEqualTo(201);
        assertThat(fixture.scheduler.last(StartRun.class).trace()).isEmpty();
    }

    @Test
    void theFileOfAManifestIsPassedOn() {
        String sum = "0123456789abcdef".repeat(4);
        assertThat(fixture.post(
                                "/runs",
                                "{\"manifest\":{},\"manifestFile\":{\"path\":\"/w/m.yaml\",\"sha256\":\"" + sum
                                        + "\"}}")
                        .statusCode())
                .isEqualTo(201);
        assertThat(fixture.scheduler.last(StartRun.class).file()).contains(new ManifestFile("/w/m.yaml", sum));
        assertThat(fixture.post("/runs", "{\"manifest\":{},\"manifestFile\":null}")
                        .statusCode())
                .isEqualTo(201);
        assertThat(fixture.scheduler.last(StartRun.class).file()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"/w/m.yaml\" | manifestFile must be an object",
                "{} | manifestFile.path must be an absolute path",
                "{\"path\": \"m.yaml\"} | manifestFile.path must be an absolute path",
                "{\"path\": \"/m.yaml\"} | manifestFile.sha256 must be 64 digits",
                "{\"path\": \"/m.yaml\", \"sha256\": \"ABC\"} | manifestFile.sha256 must be 64 digits",
                "{\"file\": \"/m.yaml\"} | manifestFile.file is not known"
            })
    void aMalformedFileOfAManifestIsRefused(String file, String why) {
        HttpResponse<Buffer> refused = fixture.post("/runs", "{\"manifest\":{},\"manifestFile\":" + file + "}");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.bodyAsString()).contains(why);
    }

    @Test
    void theEnvironmentOfTheAgentsIsPassedOnAndNeverPrinted() {
        assertThat(fixture.post("/runs", """
                        {"manifest": {}, "environment": {"KEY": "hush", "N": 7, "LOOPKEEPER_RUN_ID": "other"}, "umask": "077"}""").statusCode()).isEqualTo(201);
        StartRun asked = fixture.scheduler.last(StartRun.class);
        assertThat(asked.environment())
                .contains(new ClientEnvironment(
                        Map.of("KEY", "hush", "N", "7"), Optional.of("077"), Optional.of("other")));
        assertThat(asked.toString()).doesNotContain("hush");
        assertThat(fixture.post("/runs", "{\"manifest\":{},\"environment\":null}")
                        .statusCode())
                .isEqualTo(201);
        assertThat(fixture.scheduler.last(StartRun.class).environment()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"manifest\":{},\"umask\":\"077\"} | umask may be given with environment only",
                "{\"manifest\":{},\"environment\":{},\"umask\":\"99\"} | umask must be 3 or 4 octal digits",
                "{\"manifest\":{},\"environment\":{\"A=B\":\"hush\"}} | environment must have names without =",
                "{\"manifest\":{},\"environment\":{\"A\":[\"hush\"]}} | environment.A must be"
            })
    void aMalformedEnvironmentIsRefusedWithoutItsValues(String body, String why) {
        HttpResponse<Buffer> refused = fixture.post("/runs", body);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.bodyAsString()).contains(why).doesNotContain("hush");
    }

    @Test
    void aManifestMayBeATextAndTheRunMayWait() {
        assertThat(fixture.post("/runs", "{\"manifest\":\"name: demo\",\"start\":false}")
                        .statusCode())
                .isEqualTo(201);
        StartRun asked = fixture.scheduler.last(StartRun.class);
        assertThat(asked.document().textValue()).isEqualTo("name: demo");
        assertThat(asked.start()).isFalse();
    }

    @Test
    void aRepeatedIdempotencyKeyAnswersWithTheFirstRun() {
        HttpResponse<Buffer> first = keyed("demo-1");
        HttpResponse<Buffer> second = keyed("demo-1");
        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(second.statusCode()).isEqualTo(200);
        assertThat(GatewayFixture.json(second).path("runId").asText()).isEqualTo("demo-1");
    }

    /** The first one counted, whichever of a client and its proxy had put it there. */
    @Test
    void twoIdempotencyKeysAreRefused() {
        HttpResponse<Buffer> refused = GatewayFixture.soon(fixture.request(HttpMethod.POST, "/runs")
                .putHeader("Content-Type", "application/json")
                .putHeader("Idempotency-Key", List.of("key-7", "key-8"))
                .sendBuffer(Buffer.buffer("{\"manifest\":{}}")));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.bodyAsString()).contains("Idempotency-Key is given more than once");
        assertThat(fixture.scheduler.wasCommanded()).isFalse();
    }

    private HttpResponse<Buffer> keyed(String runId) {
        return GatewayFixture.soon(fixture.request(HttpMethod.POST, "/runs")
                .putHeader("Content-Type", "application/json; charset=utf-8")
                .putHeader("Idempotency-Key", "key-7")
                .sendBuffer(Buffer.buffer("{\"manifest\":{},\"runId\":\"" + runId + "\"}")));
    }

    @Test
    void runsAreListedPageByPage() {
        fixture.listed = TestRuns.page(Optional.of("c2"), TestRuns.run("run-1", "paused"));
        JsonNode page = GatewayFixture.json(fixture.get("/runs?status=paused,stopped&limit=1&cursor=MjAyNiBydW4tOQ"));
        assertThat(page.path("runs").path(0).path("runId").asText()).isEqualTo("run-1");
        assertThat(page.path("nextCursor").asText()).isEqualTo("c2");
        assertThat(fixture.scheduler.last(RunQuery.class))
                .isEqualTo(new RunQuery(Set.of("paused", "stopped"), 1, Optional.of("MjAyNiBydW4tOQ")));
        fixture.listed = TestRuns.page(Optional.empty());
        assertThat(fixture.get("/runs").bodyAsString()).isEqualTo("{\"runs\":[],\"nextCursor\":null}");
        assertThat(fixture.scheduler.last(RunQuery.class)).isEqualTo(new RunQuery(Set.of(), 100, Optional.empty()));
    }

    @Test
    void aCursorThatNoPageGaveOutIsRefused() {
        for (String cursor : List.of("c1", "!", "MjAyNg")) {
            assertThat(fixture.get("/runs?cursor=" + cursor).statusCode()).isEqualTo(400);
        }
    }

    @Test
    void runsAreFoundByTheBeginningOfTheirIds() {
        fixture.listed = TestRuns.page(Optional.empty(), TestRuns.run("run-1", "paused"));
        assertThat(fixture.get("/runs?prefix=run-&limit=6").statusCode()).isEqualTo(200);
        assertThat(fixture.scheduler.last(RunQuery.class))
                .isEqualTo(new RunQuery(Set.of(), 6, Optional.empty(), Optional.of("run-")));
        assertThat(fixture.get("/runs?prefix=%25").statusCode()).isEqualTo(400);
    }

    @Test
    void runsAreFoundByATextOfTheirIdOrName() {
        fixture.listed = TestRuns.page(Optional.empty(), TestRuns.run("run-1", "paused"));
        assertThat(fixture.get("/runs?q=%20Flaky%20tests%20").statusCode()).isEqualTo(200);
        assertThat(fixture.scheduler.last(RunQuery.class))
                .isEqualTo(new RunQuery(Set.of(), 100, Optional.empty(), Optional.empty(), Optional.of("Flaky tests")));
        assertThat(fixture.get("/runs?q=" + "x".repeat(201)).statusCode()).isEqualTo(400);
    }

    @Test
    void oneRunIsShownFromEverySide() {
        fixture.scheduler.steps.put("run-1", TestRuns.steps("run-1", "build.1.dev.1", TestRuns.NOW));
        for (String path : List.of("/runs/run-1", "/runs/run-1/checkpoint", "/runs/run-1/explain")) {
            assertThat(GatewayFixture.json(fixture.get(path)).path("runId").asText())
                    .isEqualTo("run-1");
        }
        assertThat(GatewayFixture.json(fixture.get("/runs/run-1/steps")).path("steps"))
                .hasSize(1);
        assertThat(GatewayFixture.json(fixture.get("/runs/run-1/steps/build.1.dev.1"))
                        .path("stepId")
                        .asText())
                .isEqualTo("build.1.dev.1");
    }

    @Test
    void stepsAreReadInParts() {
        fixture.scheduler.steps.put("run-1", TestRuns.steps("run-1", "build.1.dev.1", TestRuns.NOW));
        JsonNode page = GatewayFixture.json(fixture.get("/runs/run-1/steps?cursor=before-41&limit=3"));
        assertThat(page.path("steps")).hasSize(1);
        assertThat(page.properties()).extracting(Map.Entry::getKey).containsExactlyInAnyOrder("steps", "nextCursor");
        assertThat(page.path("nextCursor").isNull()).isTrue();
        assertThat(fixture.scheduler.last(ListSteps.class))
                .isEqualTo(new ListSteps("run-1", OptionalLong.empty(), OptionalLong.of(41), 3));
        assertThat(fixture.get("/runs/run-1/steps").statusCode()).isEqualTo(200);
        assertThat(fixture.scheduler.last(ListSteps.class))
                .isEqualTo(new ListSteps("run-1", OptionalLong.of(0), OptionalLong.empty(), 1000));
        assertThat(fixture.get("/runs/run-1/steps?limit=3").statusCode()).isEqualTo(200);
        assertThat(fixture.scheduler.last(ListSteps.class).before()).isPresent();
        for (String refused : List.of("cursor=41", "since=1", "before=2")) {
            assertThat(fixture.get("/runs/run-1/steps?" + refused).statusCode())
                    .as(refused)
                    .isEqualTo(400);
        }
    }

    @Test
    void historyIsReadInParts() {
        for (int sequence = 1; sequence <= 5; sequence++) {
            fixture.happens(TestRuns.event("run-1", sequence, "step.usage"), TestRuns.run("run-1", "running"));
        }
        JsonNode page = GatewayFixture.json(fixture.get("/runs/run-1/events?since=2&limit=2"));
        assertThat(page.path("events").path(0).toString())
                .isEqualTo("{\"runId\":\"run-1\",\"sequence\":3,\"at\":\"2026-11-20T15:12:33.120Z\","
                        + "\"type\":\"step.usage\",\"execution\":1,\"data\":{\"note\":\"n3\"}}");
        assertThat(page.path("events")).hasSize(2);
        assertThat(page.path("nextSince").asInt()).isEqualTo(4);
        assertThat(fixture.get("/runs/run-1/events?since=9").bodyAsString())
                .isEqualTo("{\"events\":[],\"nextSince\":9}");
        GatewayFixture.soon(fixture.store.addReceipt("run-1", RECEIPT));
        assertThat(fixture.get("/runs/run-1/receipts").bodyAsString())
                .isEqualTo("{\"receipts\":[" + RECEIPT + "],\"nextCursor\":null}");
    }

    @Test
    void aPageOfReceiptsEndsByBytesAndSaysWhereTheNextOneBegins() {
        fixture.happens(TestRuns.event("run-1", 1, "step.usage"), TestRuns.run("run-1", "running"));
        String large = RECEIPT.replace("\"outcome\"", "\"command\":\"" + "x".repeat(3 << 20) + "\",\"outcome\"");
        GatewayFixture.soon(fixture.store.addReceipt("run-1", large));
        GatewayFixture.soon(fixture.store.addReceipt("run-1", large));

        JsonNode first = GatewayFixture.json(fixture.get("/runs/run-1/receipts"));
        JsonNode second = GatewayFixture.json(fixture.get("/runs/run-1/receipts?cursor=1"));

        assertThat(first.path("receipts")).hasSize(1);
        assertThat(first.path("nextCursor").textValue()).isEqualTo("1");
        assertThat(second.path("receipts")).hasSize(1);
        assertThat(second.path("nextCursor").isNull()).isTrue();
    }

    @Test
    void stopAndPauseAreAccepted() {
        assertThat(fixture.post("/runs/run-1/stop", "{\"reason\":\"enough\",\"now\":true}")
                        .statusCode())
                .isEqualTo(202);
        assertThat(fixture.scheduler.last(StopRun.class)).isEqualTo(new StopRun("run-1", Optional.of("enough"), true));
        HttpResponse<Buffer> bare = GatewayFixture.soon(
                fixture.request(HttpMethod.POST, "/runs/run-1/pause").send());
        assertThat(bare.statusCode()).isEqualTo(202);
        assertThat(fixture.scheduler.last(PauseRun.class)).isEqualTo(new PauseRun("run-1", Optional.empty()));
    }

    @Test
    void everyPartOfAResumeReachesTheScheduler() {
        HttpResponse<Buffer> response = fixture.post("/runs/run-1/resume", """
                {"action": "retry_iteration", "feedback": "try harder",
                 "budget": {"costUsd": 2.5, "tokens": 10, "turns": 3, "time": "8h"},
                 "maxIterations": 0, "maxAttempts": 4,
                 "stopConditions": {"maxRetryRate": null, "maxRejectRate": 0.9, "circuitBreaker": 0},
                 "resetItems": ["a", "b"], "resetStatistics": true, "acknowledge": true,
                 "waive": "tests", "force": true, "dryRun": false, "at": "2026-11-20T22:00:00+01:00"}""");
        assertThat(response.statusCode()).isEqualTo(202);
        assertThat(fixture.scheduler.last(ResumeRun.class).request())
                .isEqualTo(ResumeRequest.PLAIN.with(copy -> copy.action(Optional.of(ResumeAction.RETRY_ITERATION))
                        .feedback(Optional.of("try harder"))
                        .costUsd(OptionalDouble.of(2.5))
                        .tokens(OptionalLong.of(10))
                        .turns(OptionalLong.of(3))
                        .time(Optional.of(Duration.ofHours(8)))
                        .maxIterations(OptionalInt.of(0))
                        .maxAttempts(OptionalInt.of(4))
                        .stopConditions(new StopConditionChanges(
                                OptionalDouble.of(0),
                                OptionalDouble.of(0.9),
                                OptionalInt.empty(),
                                OptionalInt.of(0),
                                OptionalInt.empty()))
                        .resetItems(List.of("a", "b"))
                        .resetStatistics(true)
                        .acknowledge(true)
                        .waive(Optional.of("tests"))
                        .force(true)
                        .at(Optional.of(Instant.parse("2026-11-20T21:00:00Z")))));
    }

    @Test
    void aResumeMayBeEmptyOrOnlyTried() {
        assertThat(fixture.post("/runs/run-1/resume", "").statusCode()).isEqualTo(202);
        assertThat(fixture.scheduler.last(ResumeRun.class)).isEqualTo(new ResumeRun("run-1", ResumeRequest.PLAIN));
        assertThat(fixture.post("/runs/run-1/resume?wait=1s", "{\"dryRun\":true}")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aResumeTakesAChangedManifestAndSaysWhatChanged() throws JsonProcessingException {
        AtomicReference<SubmitOptions> given = new AtomicReference<>();
        RealRun run = new RealRun("run-1");
        GatewayFixture.soon(fixture.bus.append(run.next()));
        Manifest read = run.state().plan().manifest();
        fixture.intake = (manifest, options) -> {
            given.set(options);
            return Future.succeededFuture(new Submission.Accepted(manifest, read, "/w", "/w", List.of()));
        };
        ObjectNode resumed = TestRuns.run("run-1", "running");
        resumed.putArray("changes").add("agents.dev.command: changed");
        fixture.scheduler.instead = question -> question instanceof ResumeRun
                ? Optional.of(Future.succeededFuture(RunAnswer.of(resumed)))
                : Optional.empty();

        HttpResponse<Buffer> response = fixture.post("/runs/run-1/resume", """
                {"manifest": {"name": "demo"}, "manifestFile": {"path": "/w/m.yaml", "sha256": "%s"}}""".formatted("0".repeat(64)));

        assertThat(response.statusCode()).isEqualTo(202);
        assertThat(GatewayFixture.json(response).path("changes").toString())
                .isEqualTo("[\"agents.dev.command: changed\"]");
        assertThat(given.get())
                .isEqualTo(SubmitOptions.ofRun(resumed.path("workspace").asText()));
        JsonNode document = Json.MAPPER.readTree("{\"name\": \"demo\"}");
        ManifestFile file = new ManifestFile("/w/m.yaml", "0".repeat(64));
        assertThat(fixture.scheduler.last(ResumeRun.class).request().changedManifest())
                .contains(new ChangedManifest(document, read, "/w", Optional.of(file), List.of()));
    }

    @Test
    void aResumeWithABadManifestIsRefusedAndNothingIsDone() {
        fixture.intake = (manifest, options) ->
                Future.succeededFuture(new Submission.Refused(List.of(ManifestProblem.at("agents", "is missing"))));
        HttpResponse<Buffer> response = fixture.post("/runs/run-1/resume", "{\"manifest\": \"name: demo\"}");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.bodyAsJsonObject().getString("code")).isEqualTo("invalid-manifest");
        assertThat(fixture.post("/runs/run-1/resume", "{\"manifestFile\": {\"path\": \"/m\"}}")
                        .statusCode())
                .isEqualTo(400);
        assertThat(fixture.post("/runs/run-1/resume", "{\"manifest\": 7}").statusCode())
                .isEqualTo(400);
        assertThat(fixture.scheduler.wasCommanded()).isFalse();
    }

    /** It resumed the run. */
    @Test
    void aFieldThatStandsInTheAddressIsRefusedAndNothingIsDone() {
        HttpResponse<Buffer> answer = fixture.post("/runs/run-1/resume?dryRun=true", "");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.bodyAsJsonObject().getString("path")).isEqualTo("dryRun");
        assertThat(answer.bodyAsJsonObject().getString("detail"))
                .isEqualTo("dryRun is not a known query parameter; known: wait; body members are not query parameters");
        assertThat(fixture.post("/runs/run-1/stop?now=true&wait=1s", "").statusCode())
                .isEqualTo(400);
        assertThat(fixture.scheduler.wasCommanded()).isFalse();
    }

    @Test
    void aListShowsTheActivityOfLoadedRuns() {
        fixture.listed =
                TestRuns.page(Optional.empty(), TestRuns.run("run-1", "running"), TestRuns.run("run-2", "stopped"));
        Activity does = new Activity("build.1.dev.1", "Bash: make test", TestRuns.NOW);
        RealRun run = new RealRun("run-1");
        GatewayFixture.soon(fixture.bus.append(run.next()));
        LoadedRuns.in(fixture.vertx).publish(run.state(), Optional.of(does), Optional.empty());

        JsonNode runs = GatewayFixture.json(fixture.get("/runs")).path("runs");
        assertThat(runs.at("/0/activity/text").asText()).isEqualTo("Bash: make test");
        assertThat(runs.get(1).has("activity")).isFalse();
    }
}
