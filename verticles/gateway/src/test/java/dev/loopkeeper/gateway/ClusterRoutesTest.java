package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.contract.LiveProcess;
import dev.loopkeeper.contract.NodeChannels;
import dev.loopkeeper.contract.NodeChannels.LogPart;
import dev.loopkeeper.contract.NodeChannels.NodeList;
import dev.loopkeeper.contract.NodeChannels.NodeReply;
import dev.loopkeeper.contract.NodeChannels.NodeSelf;
import dev.loopkeeper.contract.NodeChannels.StepNode;
import dev.loopkeeper.contract.OrphanProcess;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.KillRole;
import dev.loopkeeper.contract.ProcessChannels.ProcessList;
import dev.loopkeeper.contract.Reaped;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.SchedulerChannels;
import dev.loopkeeper.contract.SchedulerChannels.OpenSteps;
import dev.loopkeeper.contract.SchedulerChannels.RunActivity;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.view.Activity;
import dev.loopkeeper.view.Node;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.client.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server answers that is a node of a cluster. */
class ClusterRoutesTest {
    private static final String LOG = "/runs/run-1/steps/build.1.dev.1/log";

    @TempDir
    Path data;

    private GatewayFixture fixture;
    private volatile boolean live = true;
    private volatile Optional<Node> node = Optional.empty();
    /** What the other node answers, by channel; it is silent about the rest. */
    private final Map<String, NodeReply> replies = new ConcurrentHashMap<>();

    private final AtomicInteger asked = new AtomicInteger();
    private final List<Node> nodes =
            new CopyOnWriteArrayList<>(List.of(node("n1", Node.State.SILENT), node("n2", Node.State.LIVE)));

    @BeforeEach
    void open() {
        fixture = GatewayFixture.plain(data);
        fixture.scheduler.steps.put("run-1", TestRuns.steps("run-1", "build.1.dev.1", TestRuns.NOW));
        GatewayFixture.soon(Future.all(List.of(
                NodeChannels.LIST.serve(fixture.vertx.eventBus(), asked -> Future.succeededFuture(new NodeList(nodes))),
                NodeChannels.SELF.serve(
                        fixture.vertx.eventBus(), asked -> Future.succeededFuture(new NodeSelf("n2", live))),
                NodeChannels.STEP.serve(fixture.vertx.eventBus(), asked -> Future.succeededFuture(new StepNode(node))),
                ProcessChannels.LIST.serve(
                        fixture.vertx.eventBus(), asked -> Future.succeededFuture(new ProcessList(List.of()))),
                ProcessChannels.REAP.serve(
                        fixture.vertx.eventBus(),
                        asked -> Future.succeededFuture(new Reaped(asked.dryRun(), List.of(), List.of()))),
                NodeChannels.ASK.serve(fixture.vertx.eventBus(), question -> {
                    asked.incrementAndGet();
                    return Future.succeededFuture(
                            question.node().equals("n1")
                                    ? replies.getOrDefault(question.channel(), NodeReply.silent())
                                    : NodeReply.refused(500, "asked itself"));
                }))));
    }

    private void answers(RequestChannel<?, ?> channel, Object answer) {
        replies.put(
                channel.address(),
                NodeReply.answered(Json.MAPPER.valueToTree(answer).toString()));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Node node(String name, Node.State state) {
        return new Node(
                name,
                state,
                name.equals("n2"),
                state == Node.State.LIVE ? OptionalLong.empty() : OptionalLong.of(6200),
                Optional.of("http://" + name + ":7420"),
                "1",
                new Node.Load(OptionalInt.of(3), OptionalInt.empty()));
    }

    @Test
    void listsAllNodes() {
        JsonNode nodes = GatewayFixture.json(fixture.get("/nodes")).path("nodes");

        assertThat(nodes).hasSize(2);
        assertThat(nodes.get(0).path("state").asText()).isEqualTo("silent");
        assertThat(nodes.get(0).path("silentMillis").asLong()).isEqualTo(6200);
        assertThat(nodes.get(1).path("self").asBoolean()).isTrue();
    }

    @Test
    void isReadyOnlyWithALease() {
        assertThat(fixture.get("/health/ready").statusCode()).isEqualTo(200);
        live = false;

        HttpResponse<Buffer> unready = fixture.get("/health/ready");
        assertThat(unready.statusCode()).isEqualTo(503);
        assertThat(GatewayFixture.json(unready).path("code").asText()).isEqualTo("node-not-live");
        assertThat(GatewayFixture.json(unready).path("detail").asText())
                .as("what it does not do, what it needs and where more is told")
                .contains("executes no runs", "database", "data folder", "log");
        assertThat(fixture.get("/health/live").statusCode()).isEqualTo(200);
    }

    @Test
    void namesTheNodeThatHasALog() {
        node = Optional.of(node("n1", Node.State.SILENT));
        HttpResponse<Buffer> away = fixture.get(LOG);
        assertThat(away.statusCode()).isEqualTo(503);
        assertThat(GatewayFixture.json(away).path("code").asText()).isEqualTo("node-unreachable");
        assertThat(GatewayFixture.json(away).path("detail").asText()).contains("node n1", "silent", "http://n1:7420");

        node = Optional.of(node("n2", Node.State.LIVE));
        assertThat(fixture.get(LOG).statusCode()).as("of a step of its own").isEqualTo(200);
        assertThat(fixture.get("/runs/run-1/steps/other/log").statusCode()).isEqualTo(404);
    }

    @Test
    void anOwnerThatDoesNotAnswerIsNoConflict() {
        fixture.scheduler.refusal =
                question -> Optional.of(new Refusal(RefusalCode.NODE_UNREACHABLE, "n1 does not answer"));
        HttpResponse<Buffer> refused = fixture.post("/runs/run-1/stop", "{}");

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(GatewayFixture.json(refused).path("code").asText()).isEqualTo("node-unreachable");
    }

    private static LiveProcess process(String runId, String role) {
        return LiveProcess.of(runId, "build.1." + role + ".1", role, 4711, TestRuns.NOW, List.of("sh"), "running");
    }

    @Test
    void servesALogOfAnotherNodeAsALocalOne() {
        node = Optional.of(node("n1", Node.State.LIVE));
        byte[] bytes = "from afar\n".getBytes(StandardCharsets.UTF_8);
        answers(SchedulerChannels.OPEN_STEPS, new OpenSteps(Set.of(), Set.of()));
        answers(
                NodeChannels.READ_LOG,
                new LogPart(bytes, bytes.length, bytes.length, 0, true, OutputDialect.CLAUDE_CODE));

        HttpResponse<Buffer> log = fixture.get(LOG);
        assertThat(log.statusCode()).isEqualTo(200);
        assertThat(log.bodyAsString()).isEqualTo("from afar\n");
        assertThat(log.getHeader("Loopkeeper-Output")).isEqualTo(OutputDialect.CLAUDE_CODE.wire());
    }

    @Test
    void listsTheProcessesOfAllNodesAndWhoDidNotAnswer() {
        JsonNode alone = GatewayFixture.json(fixture.get("/processes"));
        assertThat(alone.path("unanswered")).extracting(JsonNode::asText).containsExactly("n1");

        answers(ProcessChannels.LIST, new ProcessList(List.of(process("run-9", "dev"))));
        JsonNode both = GatewayFixture.json(fixture.get("/processes"));
        assertThat(both.path("unanswered")).isEmpty();
        assertThat(both.path("processes")).anySatisfy(process -> {
            assertThat(process.path("node").asText()).isEqualTo("n1");
            assertThat(process.path("runId").asText()).isEqualTo("run-9");
        });
    }

    @Test
    void listsAFencedNodeWithoutARequestToIt() {
        answers(ProcessChannels.LIST, new ProcessList(List.of()));
        nodes.add(node("n3", Node.State.FENCED));
        nodes.add(node("n4", Node.State.LEFT));

        JsonNode processes = GatewayFixture.json(fixture.get("/processes"));
        JsonNode reaped = GatewayFixture.json(fixture.post("/processes/reap", "{\"dryRun\": true}"));

        assertThat(processes.path("unanswered")).extracting(JsonNode::asText).containsExactly("n3");
        assertThat(reaped.path("unanswered")).extracting(JsonNode::asText).containsExactly("n1", "n3");
    }

    private JsonNode one(String status, Optional<String> owner) {
        ObjectNode run = TestRuns.run("run-1", status);
        owner.ifPresent(
                node -> run.putObject("owner").put("node", node).put("epoch", 1).put("since", TestRuns.NOW.toString()));
        fixture.scheduler.runs.put("run-1", run);
        return GatewayFixture.json(fixture.get("/runs/run-1"));
    }

    @Test
    void showsTheActivityOfARunOnAnotherNode() {
        answers(
                SchedulerChannels.ACTIVITY,
                new RunActivity(Optional.of(new Activity("build.1.dev.1", "Bash: make test", TestRuns.NOW)), Map.of()));

        JsonNode running = one("running", Optional.of("n1"));
        assertThat(running.at("/activity/text").asText()).isEqualTo("Bash: make test");
        assertThat(running.at("/activity/stepId").asText()).isEqualTo("build.1.dev.1");
        assertThat(running.at("/activity/at").asText()).isEqualTo("2026-11-20T15:12:33.120Z");
        assertThat(one("stopping", Optional.of("n1")).at("/activity/text").asText())
                .isEqualTo("Bash: make test");
        assertThat(one("paused", Optional.of("n1")).has("activity"))
                .as("of a run without a step nobody is asked")
                .isFalse();
        assertThat(one("running", Optional.empty()).has("activity"))
                .as("nor of one that nobody carries out")
                .isFalse();
    }

    @Test
    void listsProcessesOfAnotherNode() {
        String step = "/runs/run-1/steps/build.1.dev.1";
        node = Optional.of(node("n1", Node.State.LIVE));
        answers(SchedulerChannels.ACTIVITY, new RunActivity(Optional.empty(), Map.of("build.1.dev.1", 4711L)));
        assertThat(GatewayFixture.json(fixture.get(step)).path("pid").isNull())
                .as("of a step that has ended nobody is asked")
                .isTrue();

        fixture.scheduler.steps.put("run-1", TestRuns.steps("run-1", "build.1.dev.1", null));
        assertThat(GatewayFixture.json(fixture.get(step)).path("pid").asLong()).isEqualTo(4711);
        assertThat(GatewayFixture.json(fixture.get("/runs/run-1/steps"))
                        .at("/steps/0/pid")
                        .asLong())
                .isEqualTo(4711);

        replies.clear();
        assertThat(fixture.get(step).statusCode()).isEqualTo(200);
        assertThat(GatewayFixture.json(fixture.get(step)).path("pid").isNull())
                .as("of a silent node it is not known")
                .isTrue();
    }

    @Test
    void showsARunWhoseNodeDoesNotAnswer() {
        JsonNode silent = one("running", Optional.of("n1"));
        assertThat(silent.path("status").asText()).isEqualTo("running");
        assertThat(silent.path("activity").isNull()).isTrue();

        replies.put(SchedulerChannels.ACTIVITY.address(), NodeReply.refused(500, "of another version"));
        assertThat(one("running", Optional.of("n1")).path("activity").isNull()).isTrue();
        replies.put(SchedulerChannels.ACTIVITY.address(), NodeReply.answered("no JSON"));
        assertThat(one("running", Optional.of("n1")).path("activity").isNull()).isTrue();
        answers(SchedulerChannels.ACTIVITY, RunActivity.NOTHING);
        assertThat(one("running", Optional.of("n1")).path("activity").isNull()).isTrue();
    }

    @Test
    void notEveryRequestWaitsForANodeThatStandsStill() {
        // For some seconds it is not asked again; on a machine in use they may be over before the next request.
        await().pollInterval(Duration.ZERO).until(() -> {
            int before = asked.get();
            assertThat(one("running", Optional.of("n1")).path("activity").isNull())
                    .isTrue();
            return before > 0 && asked.get() == before;
        });
    }

    @Test
    void explainsForWhichNodeARunWaits() {
        fixture.scheduler.runs.put("run-1", TestRuns.run("run-1", "running"));
        String plain = GatewayFixture.json(fixture.get("/runs/run-1/explain"))
                .path("summary")
                .asText();
        fixture.scheduler.runs.put("run-1", TestRuns.run("run-1", "running").put("waitsFor", "n1, silent 3 m"));

        assertThat(GatewayFixture.json(fixture.get("/runs/run-1/explain"))
                        .path("summary")
                        .asText())
                .isEqualTo(plain + "; waits for n1, silent 3 m");
        assertThat(GatewayFixture.json(fixture.get("/runs/run-1"))
                        .path("waitsFor")
                        .asText())
                .isEqualTo("n1, silent 3 m");
    }

    /** Who executes the run the scheduler knows. */
    @Test
    void saysWhereARoleCannotBeEndedNow() {
        fixture.scheduler.refusal = question -> question instanceof KillRole
                ? Optional.of(new Refusal(RefusalCode.NODE_UNREACHABLE, "its node does not answer; nothing was done"))
                : Optional.empty();
        HttpResponse<Buffer> unknown = fixture.post("/processes/run-9/dev/kill", "{}");
        assertThat(unknown.statusCode()).isEqualTo(503);
        assertThat(GatewayFixture.json(unknown).path("code").asText()).isEqualTo("node-unreachable");
        assertThat(GatewayFixture.json(unknown).path("detail").asText()).contains("nothing was done");
    }

    @Test
    void reapsOnAllNodes() {
        assertThat(GatewayFixture.json(fixture.post("/processes/reap", "{\"dryRun\": true}"))
                        .path("unanswered"))
                .hasSize(1);
        answers(SchedulerChannels.OPEN_STEPS, new OpenSteps(Set.of(), Set.of()));
        answers(
                ProcessChannels.REAP,
                new Reaped(true, List.of(new OrphanProcess("run-9", "build.1.dev.1", 4711, "sleep")), List.of()));
        JsonNode reaped = GatewayFixture.json(fixture.post("/processes/reap", "{\"dryRun\": true}"));

        assertThat(reaped.path("unanswered")).isEmpty();
        assertThat(reaped.path("strays"))
                .singleElement()
                .satisfies(orphan -> assertThat(orphan.path("node").asText()).isEqualTo("n1"));
    }
}
