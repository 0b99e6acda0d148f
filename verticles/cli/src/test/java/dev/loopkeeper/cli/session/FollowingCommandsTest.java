package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.RunningCommand;
import dev.loopkeeper.cli.Terminal;
import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.LiveProcess;
import dev.loopkeeper.contract.NodeChannels;
import dev.loopkeeper.contract.NodeChannels.AskNode;
import dev.loopkeeper.contract.NodeChannels.LogPart;
import dev.loopkeeper.contract.NodeChannels.NodeList;
import dev.loopkeeper.contract.NodeChannels.NodeReply;
import dev.loopkeeper.contract.NodeChannels.StepNode;
import dev.loopkeeper.contract.OrphanProcess;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.KillRole;
import dev.loopkeeper.contract.ProcessChannels.ProcessList;
import dev.loopkeeper.contract.ProcessChannels.ReapOrphans;
import dev.loopkeeper.contract.Reaped;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.RunQuery;
import dev.loopkeeper.contract.SchedulerChannels.OpenSteps;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.view.Node;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.EventBus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FollowingCommandsTest {
    private static final Instant NOW = Instant.parse("2026-11-20T15:12:33.120Z");

    @TempDir
    Path folder;

    private final List<Object> asked = new CopyOnWriteArrayList<>();
    private final List<Object> refused = new CopyOnWriteArrayList<>();
    private FakeKeeper keeper;
    private Terminal terminal;

    @BeforeEach
    void open() {
        keeper = new FakeKeeper(folder.resolve("data"));
        terminal = new Terminal(folder.resolve("data"));
        keeper.instead =
                question -> question instanceof KillRole command ? Optional.of(kill(command)) : Optional.empty();
        EventBus bus = keeper.vertx.eventBus();
        LiveProcess dev = new LiveProcess("one", "build.1.dev.1", "dev", 42, NOW, "./dev.sh", "running");
        Session.await(Future.all(
                ProcessChannels.LIST.serve(bus, question -> Future.succeededFuture(new ProcessList(List.of(dev)))),
                ProcessChannels.REAP.serve(bus, this::reap)));
    }

    @AfterEach
    void close() {
        keeper.close();
    }

    private Future<RunAnswer> kill(KillRole question) {
        asked.add(question);
        if (!question.role().equals("dev")) {
            return Future.succeededFuture(RunAnswer.refused(new Refusal(RefusalCode.NOT_FOUND, "live roles: dev")));
        }
        var killed = new KillReceipt.KilledProcess(42, "./dev.sh", "session", List.of("TERM"), Optional.of(NOW));
        KillReceipt receipt = new KillReceipt(
                question.runId(), Optional.empty(), NOW, NOW, KillReceipt.Outcome.gone, List.of(killed));
        return Future.succeededFuture(RunAnswer.of(Json.MAPPER.<JsonNode>valueToTree(receipt)));
    }

    private Future<Reaped> reap(ReapOrphans question) {
        asked.add(question);
        OrphanProcess orphan = new OrphanProcess("zero", "build.9.dev.1", 7, "sleep 9");
        return Future.succeededFuture(new Reaped(question.dryRun(), List.of(orphan), List.of()));
    }

    private CompletableFuture<Terminal.CommandOutput> typing(String... words) {
        return CompletableFuture.supplyAsync(() -> terminal.type(words));
    }

    private static Terminal.CommandOutput soon(CompletableFuture<Terminal.CommandOutput> typed) throws Exception {
        return typed.get(60, TimeUnit.SECONDS);
    }

    /** Until the command has opened the feed: its gateway says nothing of that, so its questions have to. */
    private void followed() {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(this::isFollowed);
    }

    private boolean isFollowed() {
        return keeper.asked.stream().filter(GetRun.class::isInstance).count() > 1;
    }

    private static ObjectNode data() {
        return Json.MAPPER.createObjectNode();
    }

    private void end(ObjectNode run) {
        ObjectNode ended = data().put("status", run.path("status").asText());
        ended.set("termination", run.path("termination"));
        keeper.happens(run, "run.ended", ended);
    }

    private ObjectNode after(ObjectNode run, String subtype, String category, String status) {
        ObjectNode ended = run.deepCopy().put("status", status);
        ended.putObject("termination")
                .put("subtype", subtype)
                .put("category", category)
                .put("summary", "so it ended");
        return ended;
    }

    @Test
    void waitReturnsAtTheEnd() throws Exception {
        ObjectNode run = keeper.put("one", "running");
        var waiting = typing("wait", "one", "--timeout", "60s");
        followed();
        end(after(run, "error_crashed", "retryable", "stopped"));
        assertThat(soon(waiting).exitCode()).isEqualTo(5);
    }

    private Optional<Refusal> away(Object question) {
        if (question instanceof GetRun || question instanceof RunQuery) {
            refused.add(question);
            return Optional.of(new Refusal(RefusalCode.STORE_UNAVAILABLE, "the event store is waited for"));
        }
        return Optional.empty();
    }

    /** They ended with 7 each time a database was restarted. */
    @ParameterizedTest
    @ValueSource(strings = {"wait", "watch"})
    void anAbsenceOfTheStoreIsWaitedFor(String subcommand) throws Exception {
        ObjectNode run = keeper.put("one", "running");
        var following = typing(subcommand, "one");
        followed();
        keeper.refusal = this::away;
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> refused.size() > 1 || following.isDone());
        keeper.refusal = question -> Optional.empty();
        end(after(run, "error_crashed", "retryable", "stopped"));
        assertThat(soon(following).exitCode()).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"wait", "watch"})
    void commandsThatBeginWhileTheStoreIsUnavailableRetry(String subcommand) throws Exception {
        ObjectNode run = keeper.put("one", "running");
        keeper.refusal = this::away;
        var following = typing(subcommand, "one");
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !refused.isEmpty() || following.isDone());
        keeper.refusal = question -> question instanceof RunQuery ? Optional.empty() : away(question);
        int before = refused.size();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> refused.size() > before || following.isDone());
        keeper.refusal = question -> Optional.empty();
        end(after(run, "error_crashed", "retryable", "stopped"));
        assertThat(soon(following).exitCode()).isEqualTo(5);
    }

    @Test
    void aWaitThatBeginsWhileTheStoreIsUnavailableKeepsItsTimeout() throws Exception {
        keeper.put("one", "running");
        keeper.refusal = this::away;
        assertThat(soon(typing("wait", "one", "--timeout", "2s")).exitCode()).isEqualTo(124);
    }

    @Test
    void waitsForTheStoreWithinTheTimeout() throws Exception {
        Object unused = keeper.put("one", "running");
        var waiting = typing("wait", "one", "--timeout", "3s");
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> waiting.isDone() || isFollowed());
        keeper.refusal = this::away;
        assertThat(soon(waiting).exitCode()).isEqualTo(124);
    }

    @Test
    void watchPrintsEventsUntilTheEnd() throws Exception {
        ObjectNode run = keeper.put("one", "running");
        var watching = typing("watch", "one");
        followed();
        keeper.happens(
                run.deepCopy(), "iteration.started", data().put("iteration", 4).put("attempt", 1));
        end(after(run, "error_max_turns", "capacity", "stopped"));
        Terminal.CommandOutput result = soon(watching);
        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.out())
                .contains(
                        "one is running",
                        "follow the log with: loopkeeper logs one -f",
                        "iteration 4",
                        ": iteration limit reached (error_max_turns), so it ended");
    }

    /** The pause was one line, without a command. */
    @Test
    void watchSaysAtAPauseWhatContinuesTheRunAndHowToLeave() throws Exception {
        ObjectNode run = keeper.put("one", "running");
        try (RunningCommand watching = terminal.begin("watch", "one")) {
            followed();
            ObjectNode paused = keeper.paused("one");
            ObjectNode data = data().put("reason", "missing_signals").put("detail", "absent");
            data.set("pause", paused.get("pause"));
            keeper.happens(paused, "run.paused", data);

            watching.untilSaid("resume it with: loopkeeper resume one retry_iteration");
            watching.untilSaid("this command follows the run once it continues; Ctrl-C leaves it paused");
            end(after(run.put("sequence", 1), "error_max_turns", "capacity", "stopped"));
            assertThat(watching.exitCode()).isEqualTo(3);
        }
    }

    @Test
    void watchPrintsEventsFromBeforeItStarted() throws Exception {
        ObjectNode run = keeper.put("one", "running");
        Promise<Void> answer = Promise.promise();
        keeper.answering = answer.future();
        var watching = typing("watch", "one");
        Awaitility.await().until(() -> keeper.asked.stream().anyMatch(GetRun.class::isInstance));
        keeper.happens(
                run.deepCopy(), "iteration.started", data().put("iteration", 4).put("attempt", 1));
        answer.complete();
        followed();
        end(after(run, "error_max_turns", "capacity", "stopped"));
        Terminal.CommandOutput result = soon(watching);
        assertThat(result.out())
                .contains("one is running", "iteration 4", ": iteration limit reached (error_max_turns), so it ended");
    }

    @Test
    void aResumeThatWaitsExitsAsTheRunComesOut() throws Exception {
        ObjectNode run = keeper.put("one", "running");
        var resuming = typing("resume", "one", "--wait", "--json");
        followed();
        end(after(run, "stop", "success", "completed"));
        Terminal.CommandOutput result = soon(resuming);
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.json().path("status").asText()).isEqualTo("completed");
    }

    /** What the command itself brought about is no past, however late the server looks its snapshot up. */
    @Test
    void aWaitingResumePrintsTheEventsAfterIt() throws Exception {
        ObjectNode run = keeper.put("one", "running");
        keeper.snapshots = () -> keeper.vertx.timer(200).mapEmpty();
        keeper.refusal = question -> {
            if (question instanceof ResumeRun) {
                asked.add(question);
            }
            return Optional.empty();
        };
        var resuming = typing("resume", "one", "--wait");
        Awaitility.await().until(() -> !asked.isEmpty());
        keeper.happens(
                run.deepCopy(), "iteration.started", data().put("iteration", 4).put("attempt", 1));
        end(after(run, "stop", "success", "completed"));
        Terminal.CommandOutput result = soon(resuming);
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out() + result.err()).contains("iteration 4");
    }

    @Test
    void agentsAreListedAndKilled() {
        keeper.put("one", "running");
        assertThat(terminal.type("ps").out()).contains("build.1.dev.1", "42", "./dev.sh");
        assertThat(terminal.type("ps", "--json").json().path("processes")).hasSize(1);
        Terminal.CommandOutput result = terminal.type("kill", "one", "dev");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("process 42 gone after TERM");
        assertThat(terminal.type("kill", "one", "judge").exitCode()).isEqualTo(7);
    }

    @Test
    void reapEndsOrphansOnlyWithItsOption() {
        assertThat(terminal.type("reap").out()).contains("orphan 7 of build.9.dev.1");
        assertThat(((ReapOrphans) asked.get(0)).dryRun()).isTrue();
        assertThat(terminal.type("reap", "--yes", "--json").exitCode()).isZero();
        assertThat(((ReapOrphans) asked.get(1)).dryRun()).isFalse();
    }

    @Test
    void theNewestStepsLogIsPrinted() throws IOException {
        ObjectNode steps = data();
        steps.putArray("steps").add(step("build.1.dev.1")).add(step("build.1.judge.1"));
        keeper.steps.put("one", steps);
        keeper.paused("one");
        for (String step : List.of("build.1.dev.1", "build.1.judge.1")) {
            Path log = folder.resolve("data/runs/one/steps/" + step + "/stdout.log");
            Files.createDirectories(log.getParent());
            Files.writeString(log, "written by " + step + "\n");
        }
        assertThat(terminal.type("logs", "one").out()).isEqualTo("written by build.1.judge.1\n");
        assertThat(terminal.type("logs", "one", "build.1.dev.1").out()).isEqualTo("written by build.1.dev.1\n");
        assertThat(terminal.type("logs", "one", "-f").out()).isEqualTo("written by build.1.judge.1\n");
        assertThat(terminal.type("logs", "one", "--stream", "stderr").out()).isEmpty();
        assertThat(terminal.type("logs", "one", "none").exitCode()).isEqualTo(7);
    }

    private static ObjectNode step(String stepId) {
        return data().put("stepId", stepId).put("runId", "one").put("endedAt", NOW.toString());
    }

    private static Node node(String name) {
        return new Node(
                name,
                Node.State.LIVE,
                name.equals("n1"),
                OptionalLong.empty(),
                Optional.empty(),
                "1",
                new Node.Load(OptionalInt.of(1), OptionalInt.empty()));
    }

    /** It ended without a word and with exit code 0. */
    @Test
    void aFollowedLogWhoseNodeIsLostEndsWithItsName() {
        EventBus bus = keeper.vertx.eventBus();
        keeper.paused("one");
        ObjectNode steps = data();
        steps.putArray("steps").add(step("build.1.dev.1"));
        keeper.steps.put("one", steps);
        AtomicInteger reads = new AtomicInteger();
        Session.await(Future.all(
                NodeChannels.STEP.serve(bus, asked -> Future.succeededFuture(new StepNode(Optional.of(node("n9"))))),
                NodeChannels.ASK.serve(
                        bus,
                        asked -> Future.succeededFuture(
                                reads.incrementAndGet() < 8 ? far(asked) : NodeReply.silent()))));

        Terminal.CommandOutput result = terminal.type("logs", "one", "build.1.dev.1", "--stream", "stdout", "-f");

        assertThat(result.out()).startsWith("from afar\n");
        assertThat(result.err()).contains("node n9, which has this data on its disk, does not answer");
        assertThat(result.exitCode()).isEqualTo(7);
    }

    private static NodeReply far(AskNode asked) {
        byte[] all = "from afar\n".getBytes(StandardCharsets.UTF_8);
        Object answer = new OpenSteps(Set.of("one/build.1.dev.1"), Set.of());
        if (asked.channel().equals(NodeChannels.READ_LOG.address())) {
            boolean first =
                    asked.body().contains("\"offset\":0") && !asked.body().contains("\"length\":0");
            answer = new LogPart(first ? all : new byte[0], all.length, all.length, 0, true, OutputDialect.TEXT);
        }
        return NodeReply.answered(Json.MAPPER.valueToTree(answer).toString());
    }

    @Test
    void listsProcessesWithTheirNodesAndNamesSilentNodes() {
        EventBus bus = keeper.vertx.eventBus();
        LiveProcess far = new LiveProcess("two", "build.1.critic.1", "critic", 43, NOW, "./critic.sh", "running");
        NodeReply list = NodeReply.answered(
                Json.MAPPER.valueToTree(new ProcessList(List.of(far))).toString());
        Session.await(Future.all(
                NodeChannels.LIST.serve(
                        bus,
                        asked -> Future.succeededFuture(new NodeList(List.of(node("n1"), node("n2"), node("n3"))))),
                NodeChannels.ASK.serve(
                        bus,
                        asked -> Future.succeededFuture(
                                asked.node().equals("n2") && asked.channel().equals(ProcessChannels.LIST.address())
                                        ? list
                                        : NodeReply.silent()))));

        Terminal.CommandOutput ps = terminal.type("ps");
        assertThat(ps.out().lines())
                .containsExactly(
                        "RUN  STEP              ROLE    NODE  PID  STATE    COMMAND",
                        "one  build.1.dev.1     dev     n1    42   running  ./dev.sh",
                        "two  build.1.critic.1  critic  n2    43   running  ./critic.sh");
        assertThat(ps.err()).contains("n3 did not answer, so its processes are unknown");

        Terminal.CommandOutput reap = terminal.type("reap");
        assertThat(reap.out().lines()).contains("orphan 7 on n1 of build.9.dev.1 of zero: sleep 9");
        assertThat(reap.err()).contains("n2 did not answer", "n3 did not answer");
    }
}
