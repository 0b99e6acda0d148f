package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.LiveProcess;
import dev.loopkeeper.contract.OrphanProcess;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.KillRole;
import dev.loopkeeper.contract.ProcessChannels.ProcessList;
import dev.loopkeeper.contract.ProcessChannels.ReapOrphans;
import dev.loopkeeper.contract.Reaped;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.termination.RefusalCode;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessRoutesTest {
    private static final LiveProcess DEV =
            new LiveProcess("run-1", "build.1.dev.1", "dev", 42, TestRuns.NOW, "./dev.sh", "running");

    @TempDir
    Path data;

    private final AtomicReference<Object> asked = new AtomicReference<>();
    private GatewayFixture fixture;

    @BeforeEach
    void open() {
        fixture = GatewayFixture.plain(data);
        EventBus bus = fixture.vertx.eventBus();
        GatewayFixture.soon(Future.all(
                ProcessChannels.LIST.serve(bus, question -> Future.succeededFuture(new ProcessList(List.of(DEV)))),
                ProcessChannels.REAP.serve(bus, this::reap)));
        fixture.scheduler.instead = question ->
                question instanceof KillRole kill ? Optional.of(Future.succeededFuture(kill(kill))) : Optional.empty();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private RunAnswer kill(KillRole question) {
        asked.set(question);
        return question.role().equals("dev")
                ? RunAnswer.of(Json.MAPPER.<JsonNode>valueToTree(new KillReceipt(
                        question.runId(),
                        Optional.of("build.1.dev.1"),
                        TestRuns.NOW,
                        TestRuns.NOW,
                        KillReceipt.Outcome.gone,
                        List.of())))
                : RunAnswer.refused(new Refusal(RefusalCode.NOT_FOUND, "live roles: dev"));
    }

    private Future<Reaped> reap(ReapOrphans question) {
        asked.set(question);
        return Future.succeededFuture(new Reaped(
                question.dryRun(), List.of(new OrphanProcess("run-0", "build.9.dev.1", 7, "sleep")), List.of()));
    }

    @Test
    void theLiveRegistryIsListed() {
        JsonNode process =
                GatewayFixture.json(fixture.get("/processes")).path("processes").path(0);
        assertThat(process.toString())
                .isEqualTo("{\"runId\":\"run-1\",\"stepId\":\"build.1.dev.1\",\"role\":\"dev\",\"pid\":42,"
                        + "\"processGroup\":42,\"startedAt\":\"2026-11-20T15:12:33.120Z\",\"command\":\"./dev.sh\","
                        + "\"state\":\"running\"}");
    }

    @Test
    void oneRoleIsKilled() {
        JsonNode receipt = GatewayFixture.json(fixture.post("/processes/run-1/dev/kill", "{\"now\":true}"));
        assertThat(receipt.path("outcome").asText()).isEqualTo("gone");
        assertThat(asked.get()).isEqualTo(new KillRole("run-1", "dev", true));
    }

    @Test
    void aRoleThatDoesNotLiveIsNotFound() {
        var response = fixture.post("/processes/run-1/judge/kill", "");
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.bodyAsString()).contains("live roles: dev");
    }

    private void runsAreIn(String workspace) {
        fixture.scheduler.instead = question -> question instanceof GetRun get
                ? Optional.of(Future.succeededFuture(
                        RunAnswer.of(TestRuns.run(get.runId(), "running").put("workspace", workspace))))
                : question instanceof KillRole kill
                        ? Optional.of(Future.succeededFuture(kill(kill)))
                        : Optional.empty();
    }

    @Test
    void onlyAgentsOfTheNamedRunOrWorkspaceAreListed() {
        runsAreIn("/home/ada/report");
        assertThat(GatewayFixture.json(fixture.get("/processes?run=run-1")).path("processes"))
                .hasSize(1);
        assertThat(GatewayFixture.json(fixture.get("/processes?run=run-2")).path("processes"))
                .isEmpty();
        assertThat(GatewayFixture.json(fixture.get("/processes?workspace=/home/ada/report/"))
                        .path("processes"))
                .hasSize(1);
        assertThat(GatewayFixture.json(fixture.get("/processes?workspace=/home/ada"))
                        .path("processes"))
                .isEmpty();
        assertThat(fixture.get("/processes?workspace=report").statusCode()).isEqualTo(400);
    }

    @Test
    void aReapOfOneWorkspaceLeavesOrphansOfOthersAlone() {
        runsAreIn("/home/ada/report");
        String elsewhere = "{\"workspace\":\"/home/ada/other\"}";
        assertThat(GatewayFixture.json(fixture.post("/processes/reap", elsewhere))
                        .path("dryRun")
                        .asBoolean())
                .isFalse();
        assertThat(((ReapOrphans) asked.get()).onlyRuns()).contains(Set.of());

        assertThat(fixture.post("/processes/reap", "{\"run\":\"run-0\"}").statusCode())
                .isEqualTo(200);
        assertThat(((ReapOrphans) asked.get()).onlyRuns()).contains(Set.of("run-0"));
    }

    @Test
    void livingAgentsAreEndedOnlyWhereTheyAreNamed() {
        var unnamed = fixture.post("/processes/reap", "{\"living\":true}");
        assertThat(unnamed.statusCode()).isEqualTo(400);
        assertThat(unnamed.bodyAsString()).contains("requires run or workspace");

        JsonNode dry = GatewayFixture.json(
                fixture.post("/processes/reap", "{\"living\":true,\"run\":\"run-1\",\"dryRun\":true}"));
        assertThat(dry.path("processes").path(0).path("pid").asInt()).isEqualTo(42);
        assertThat(asked.get()).isInstanceOf(ReapOrphans.class);

        JsonNode ended = GatewayFixture.json(fixture.post("/processes/reap", "{\"living\":true,\"run\":\"run-1\"}"));
        assertThat(asked.get()).isEqualTo(new KillRole("run-1", "dev", false));
        assertThat(ended.path("receipts")).hasSize(1);
    }

    @Test
    void aReapExemptsTheStepsOfAllOpenRuns() {
        ObjectNode[] newest = IntStream.range(0, 1000)
                .mapToObj(number -> TestRuns.run("newer-" + number, "paused"))
                .toArray(ObjectNode[]::new);
        fixture.listed = TestRuns.page(Optional.of("the oldest is on the next page"), newest);
        fixture.scheduler.steps.put("run-1", TestRuns.steps("run-1", "build.1.dev.1", null));
        fixture.scheduler.unreadable = Set.of("run-damaged");
        JsonNode reaped = GatewayFixture.json(fixture.post("/processes/reap", "{\"dryRun\":true}"));
        assertThat(reaped.path("strays").path(0).path("pid").asInt()).isEqualTo(7);
        assertThat(asked.get())
                .isEqualTo(
                        new ReapOrphans(true, Set.of("run-1/build.1.dev.1"), Set.of("run-damaged"), Optional.empty()));
        assertThat(fixture.scheduler.asked).as("no history is read for it").noneMatch(GetRun.class::isInstance);
    }
}
