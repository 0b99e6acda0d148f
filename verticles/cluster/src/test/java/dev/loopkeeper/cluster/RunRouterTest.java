package dev.loopkeeper.cluster;

import static dev.loopkeeper.store.StoreSamples.START;
import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.created;
import static dev.loopkeeper.store.StoreSamples.withStatus;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.NodeChannels.AskNode;
import dev.loopkeeper.contract.NodeChannels.NodeReply;
import dev.loopkeeper.contract.ProcessChannels.KillRole;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.EndRun;
import dev.loopkeeper.contract.RunChannels.PauseRun;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.postgres.NodeHints;
import dev.loopkeeper.store.postgres.NodeRequests;
import dev.loopkeeper.store.postgres.TestDatabase;
import dev.loopkeeper.termination.RefusalCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Commands between nodes, over the database alone: each node has a Vert.x of its own. */
@Execution(ExecutionMode.CONCURRENT)
class RunRouterTest {
    private static final EndRun END = new EndRun("run-1", "halted", "the office closes", Optional.empty());
    private static final Duration LONG = Duration.ofMinutes(1);
    /** For an owner to take a command, however busy the machine is: later it would be withdrawn. */
    private static final Duration ENOUGH = Duration.ofSeconds(10);

    private final TestDatabase database = TestDatabase.fresh();
    private final Vertx vertx = Vertx.vertx();
    private final List<Node> nodes = new ArrayList<>();
    private final Set<String> lostNodes = ConcurrentHashMap.newKeySet();
    private OpenStore store;

    @BeforeEach
    void open() {
        store = await(TestDatabase.open(vertx, database.options()));
    }

    @AfterEach
    void close() {
        nodes.forEach(Node::close);
        await(store.close());
        await(vertx.close());
    }

    /** A node whose runs are played: what is executed here is written down. */
    private final class Node implements RunRouter.LocalNode {
        private final String name;
        private final Vertx own = Vertx.vertx();
        private final NodeRequests requests = new NodeRequests(own, database.options(), new NodeHints());
        private final Set<String> runs = ConcurrentHashMap.newKeySet();
        private final List<Record> executed = new CopyOnWriteArrayList<>();
        private final RequestSender sender;
        private final NodeQueries queries;
        private final RequestServer server;
        private final RunRouter router;
        private Future<Void> held = Future.succeededFuture();
        private Future<Void> killed = Future.succeededFuture();
        private final AtomicInteger ownerQueries = new AtomicInteger();
        private volatile boolean lost;

        Node(String name, Duration patience) {
            this.name = name;
            this.sender = new RequestSender(own, name, requests);
            this.queries = new NodeQueries(own.eventBus(), sender, this::isLost);
            RunCommands commands = new RunCommands(own.eventBus(), name, () -> store);
            this.server = new RequestServer(own, this, requests, queries, commands);
            this.router = new RunRouter(own, this, sender, server::isExecuting, () -> store, patience);
            RecordCodec.register(own);
            await(serve("stop", RunChannels.STOP, StopRun::runId));
            await(serve("end", RunChannels.END, EndRun::runId));
            await(serve("pause", RunChannels.PAUSE, PauseRun::runId));
            await(serve("resume", RunChannels.RESUME, ResumeRun::runId));
            await(RunChannels.KILL.serve(
                    own.eventBus(),
                    asked -> router.route(
                            "kill",
                            asked.runId(),
                            asked,
                            () -> killed.map(now -> {
                                executed.add(asked);
                                return RunAnswer.of(answerOf("kill", asked.runId()));
                            }))));
            await(RunChannels.GET.serve(
                    own.eventBus(), asked -> Future.succeededFuture(RunAnswer.of(answerOf("looked", asked.runId())))));
            nodes.add(this);
        }

        private <Q extends Record> Future<Void> serve(
                String command, RequestChannel<Q, RunAnswer> channel, Function<Q, String> runId) {
            return channel.serve(
                    own.eventBus(),
                    asked -> router.route(
                            command,
                            runId.apply(asked),
                            asked,
                            () -> held.map(now -> {
                                executed.add(asked);
                                return RunAnswer.of(answerOf(command, runId.apply(asked)));
                            })));
        }

        private ObjectNode answerOf(String command, String runId) {
            return Json.MAPPER
                    .createObjectNode()
                    .put("by", name)
                    .put("command", command)
                    .put("runId", runId);
        }

        @CanIgnoreReturnValue
        Node owning(String runId) {
            await(store.append(created(runId)));
            own(runId);
            return this;
        }

        void own(String runId) {
            database.execute("UPDATE runs SET owner = '" + name + "', owner_epoch = owner_epoch + 1 WHERE run_id = '"
                    + runId + "'");
            runs.add(runId);
        }

        @CanIgnoreReturnValue
        Node live() {
            sender.begin();
            server.begin();
            await(server.beginRuns());
            return this;
        }

        <Q> RunAnswer ask(RequestChannel<Q, RunAnswer> channel, Q command) {
            return await(channel.ask(own.eventBus(), command, LONG));
        }

        void close() {
            await(server.endRuns());
            await(server.close());
            await(sender.close());
            await(own.close());
        }

        @Override
        public String node() {
            return name;
        }

        @Override
        public boolean isLive() {
            return true;
        }

        @Override
        public boolean isOwn(String runId) {
            return runs.contains(runId);
        }

        @Override
        public Future<Boolean> takeNow(String runId) {
            return Future.succeededFuture(isOwn(runId));
        }

        @Override
        public Future<Boolean> isLost(String other) {
            return Future.succeededFuture(lostNodes.contains(other));
        }

        @Override
        public Future<Boolean> hasOwner(String runId) {
            ownerQueries.incrementAndGet();
            return Future.succeededFuture(!lost);
        }
    }

    private static KillRole kill(String runId) {
        return new KillRole(runId, "dev", true);
    }

    private void awaitTaken(String command) {
        Awaitility.await()
                .until(() -> database.ask("SELECT count(*) FROM requests WHERE taken_epoch IS NOT NULL AND action = '"
                                + command + "'")
                        .contains("1"));
    }

    /** An agent may use its grace, and in the meantime its run may be asked to stop at once. */
    @Test
    void aKillIsWaitedForAsLongAsItTakesAndHoldsNothingUp() {
        Node owner = node("n1").owning("run-1");
        Promise<Void> grace = Promise.promise();
        owner.killed = grace.future();
        owner.live();
        Node asked = new Node("n2", ENOUGH).live();
        Node other = node("n3").live();
        Future<RunAnswer> kill = RunChannels.KILL.ask(asked.own.eventBus(), kill("run-1"), LONG);
        awaitTaken("kill");

        assertAnsweredBy("n1", "stop", other.ask(RunChannels.STOP, stop("run-1")));
        // It continues asking for longer than it waits for a node that takes it.
        Awaitility.await().until(() -> asked.ownerQueries.get() > 0);
        assertThat(kill.isComplete()).isFalse();
        grace.complete();

        assertAnsweredBy("n1", "kill", await(kill));
        assertThat(owner.executed).containsExactly(stop("run-1"), kill("run-1"));
    }

    @Test
    void manySlowKillsAndWaitingCommandsHideNoNewerStop() {
        Node owner = node("n1").owning("run-1").owning("run-2");
        Promise<Void> hold = Promise.promise();
        owner.killed = hold.future();
        Node asked = node("n2").live();
        for (int kill = 0; kill < 100; kill++) {
            await(asked.requests.askOwner("run-2", "kill", json(kill("run-2")), "n2"));
        }
        owner.live();

        assertAnsweredBy("n1", "stop", asked.ask(RunChannels.STOP, stop("run-1")));

        owner.held = hold.future();
        for (int waiting = 0; waiting < 100; waiting++) {
            await(asked.requests.askOwner("run-2", "stop", json(stop("run-2")), "n2"));
        }
        Awaitility.await().until(() -> owner.server.isExecuting("run-2"));
        Future<RunAnswer> end = RunChannels.END.ask(asked.own.eventBus(), END, LONG);
        awaitTaken("end");
        hold.complete();

        assertAnsweredBy("n1", "end", await(end));
    }

    @Test
    void answersAKillWhoseNodeIsLost() {
        Node owner = node("n1").owning("run-1");
        Promise<Void> hold = Promise.promise();
        owner.killed = hold.future();
        owner.live();
        Node asked = new Node("n2", ENOUGH).live();
        asked.lost = true;
        Future<RunAnswer> kill = RunChannels.KILL.ask(asked.own.eventBus(), kill("run-1"), LONG);
        awaitTaken("kill");

        assertThat(await(kill).refusal().orElseThrow().message()).contains("may still take effect");
        hold.complete();
    }

    /** By now another agent may live under that role. */
    @Test
    void aKillTakenByAFormerOwnerIsNotRepeated() {
        Node former = node("n1").owning("run-1");
        long id = await(former.requests.askOwner("run-1", "kill", json(kill("run-1")), "n3"));
        assertThat(await(former.requests.take(id, "n1"))).isPresent();
        Node owner = node("n2");
        owner.own("run-1");
        owner.live();

        Awaitility.await()
                .until(() -> !await(former.requests.answers(Set.of(id))).isEmpty());
        RunAnswer answer =
                RunRouter.read(await(former.requests.answers(Set.of(id))).get(id));
        assertThat(answer.refusal().orElseThrow().message()).contains("not repeated automatically");
        assertThat(owner.executed).isEmpty();
    }

    @Test
    void answersForAnUnknownRunAtOnce() {
        Node asked = node("n2").live();

        assertAnsweredBy("n2", "stop", asked.ask(RunChannels.STOP, stop("nobody")));
        assertThat(database.ask("SELECT count(*) FROM requests")).containsExactly("0");
    }

    private Node node(String name) {
        return new Node(name, LONG);
    }

    private static StopRun stop(String runId) {
        return new StopRun(runId, Optional.of("enough"), true);
    }

    private static void assertAnsweredBy(String node, String command, RunAnswer answer) {
        assertThat(answer.document().orElseThrow().path("by").asText()).isEqualTo(node);
        assertThat(answer.document().orElseThrow().path("command").asText()).isEqualTo(command);
    }

    @Test
    void theOwnerExecutesARequestOfAnotherNode() {
        Node owner = node("n1").owning("run-1").live();
        Node asked = node("n2").live();

        assertAnsweredBy("n1", "stop", asked.ask(RunChannels.STOP, stop("run-1")));
        ResumeRequest resume = ResumeRequest.PLAIN.feedback("größer ☂").costUsd(0.1);
        assertAnsweredBy("n1", "resume", asked.ask(RunChannels.RESUME, new ResumeRun("run-1", resume)));

        assertThat(owner.executed).containsExactly(stop("run-1"), new ResumeRun("run-1", resume));
        assertThat(asked.executed).isEmpty();
        assertThat(database.ask("SELECT count(*) FROM requests WHERE answer IS NULL"))
                .containsExactly("0");
    }

    @Test
    void aLocalRunNeedsNoOtherNode() {
        Node owner = node("n1").owning("run-1");

        assertAnsweredBy("n1", "stop", owner.ask(RunChannels.STOP, stop("run-1")));
        assertThat(database.ask("SELECT count(*) FROM requests")).containsExactly("0");
    }

    @Test
    void aRefusalOfTheOwnerIsAnsweredAsItIs() {
        Refusal refusal =
                new Refusal(RefusalCode.NOT_PAUSABLE, "it rests", Map.of("allowedActions", List.of("continue")));
        RunAnswer answer = RunRouter.read(RunRouter.write(RunAnswer.refused(refusal)));

        assertThat(answer).isEqualTo(RunAnswer.refused(refusal));
    }

    @Test
    void executesCommandsOfAllNodesOnceAndInOrder() {
        Node owner = node("n1").owning("run-1").owning("run-2").live();
        List<Node> others = List.of(node("n2").live(), node("n3").live());
        List<Future<RunAnswer>> answers = IntStream.range(0, 40)
                .mapToObj(number -> RunChannels.PAUSE.ask(
                        others.get(number % 2).own.eventBus(),
                        new PauseRun("run-" + (1 + number % 4 / 2), Optional.of("p" + number)),
                        LONG))
                .toList();
        await(Future.all(answers));

        assertThat(owner.executed)
                .extracting(record -> ((PauseRun) record).reason().orElseThrow())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 40).mapToObj(number -> "p" + number).toList());
        // Numbers are given before the commands are to be seen, so that between those of two nodes either may be first.
        for (String asked : List.of("n2", "n3")) {
            for (String run : List.of("run-1", "run-2")) {
                List<String> inOrder = database.ask("SELECT body::json->>'reason' FROM requests WHERE run_id = '" + run
                        + "' AND asked_by = '" + asked + "' ORDER BY id");
                assertThat(inOrder).hasSize(10);
                assertThat(owner.executed.stream()
                                .map(record -> ((PauseRun) record).reason().orElseThrow())
                                .filter(inOrder::contains))
                        .containsExactlyElementsOf(inOrder);
            }
        }
    }

    @Test
    void withdrawsACommandThatNoNodeTakes() {
        Node owner = node("n1").owning("run-1");
        Node asked = new Node("n2", Duration.ofMillis(300)).live();

        RunAnswer answer = asked.ask(RunChannels.STOP, stop("run-1"));

        assertThat(answer.refusal().orElseThrow().code()).isEqualTo(RefusalCode.NODE_UNREACHABLE);
        assertThat(answer.refusal().orElseThrow().message())
                .startsWith("node n1, which executes run run-1, does not answer; nothing was done");
        assertThat(database.ask("SELECT count(*) FROM requests")).containsExactly("0");
        assertThat(owner.executed).isEmpty();
    }

    /** It named no node, although the run said which one it waits for. */
    @Test
    void aCommandToARunThatWaitsForANodeNamesIt() {
        await(store.append(created("run-1")));
        database.execute("UPDATE runs SET placement = 'node:n1' WHERE run_id = 'run-1'");
        database.execute("INSERT INTO nodes (node, folder, incarnation, beat, state, url, version, roots, places,"
                + " lease) VALUES ('n1', '', 1, 1, 'fenced', '', '', '{}', 1, 8000)");
        Node asked = node("n2").live();

        RunAnswer answer = asked.ask(RunChannels.STOP, stop("run-1"));

        assertThat(answer.refusal().orElseThrow().message())
                .matches(
                        "the node that run run-1 waits for \\(n1, silent \\d+ s\\) does not answer; nothing was done.*");
    }

    @Test
    void aCommandToAnEndedRunOfALostNodeIsRefusedAtOnceAndNamesIt() {
        await(store.append(withStatus(created("run-1"), "stopped", START)));
        database.execute("UPDATE runs SET owner = 'n1', owner_epoch = 1 WHERE run_id = 'run-1'");
        lostNodes.add("n1");

        RunAnswer answer = node("n2").live().ask(RunChannels.RESUME, new ResumeRun("run-1", ResumeRequest.PLAIN));

        assertThat(answer.refusal().orElseThrow().code()).isEqualTo(RefusalCode.NODE_UNREACHABLE);
        assertThat(answer.refusal().orElseThrow().message()).startsWith("node n1, which executes run run-1, does not");
    }

    /** Its log could be requested as long as the server waits for an answer. */
    @Test
    void aQuestionToANodeIsGivenUpOnceTheNodeIsLost() {
        Node asked = node("n2").live();
        Future<NodeReply> reply = asked.queries.ask(new AskNode("n1", "x", "{}", LONG.toMillis()));
        Awaitility.await()
                .until(() -> database.ask("SELECT count(*) FROM requests").contains("1"));

        lostNodes.add("n1");

        assertThat(await(reply).outcome()).isEqualTo(NodeReply.Outcome.SILENT);
        assertThat(database.ask("SELECT count(*) FROM requests")).containsExactly("0");
    }

    @Test
    void aTimeoutReportsThatTheCommandMayStillBeExecuted() {
        Node owner = node("n1").owning("run-1");
        Promise<Void> hold = Promise.promise();
        owner.held = hold.future();
        owner.live();
        Node asked = new Node("n2", ENOUGH).live();
        Future<RunAnswer> answer = RunChannels.STOP.ask(asked.own.eventBus(), stop("run-1"), LONG);
        Awaitility.await()
                .until(() -> database.ask("SELECT count(*) FROM requests WHERE taken_epoch IS NOT NULL")
                                .contains("1")
                        || answer.isComplete());

        assertThat(await(answer).refusal().orElseThrow().code()).isEqualTo(RefusalCode.NODE_UNREACHABLE);
        assertThat(answer.result().refusal().orElseThrow().message())
                .startsWith("node n1, which executes run run-1, has not answered yet");
        hold.complete();
    }

    /** The first owner has executed it and lost the run before it could say so. */
    @Test
    void aCommandExecutedByAFormerOwnerIsNotRepeated() {
        Node former = node("n1").owning("run-1");
        NodeRequests inbox = former.requests;
        long id = await(inbox.askOwner("run-1", "resume", json(new ResumeRun("run-1", ResumeRequest.PLAIN)), "n3"));
        assertThat(await(inbox.take(id, "n1")).orElseThrow().attemptedAfter()).isEmpty();
        await(store.append(happened("run-1", "run.resumed")));
        Node owner = node("n2");
        owner.own("run-1");
        owner.live();

        Awaitility.await().until(() -> !await(inbox.answers(Set.of(id))).isEmpty());
        assertAnsweredBy(
                "n2", "looked", RunRouter.read(await(inbox.answers(Set.of(id))).get(id)));
        assertThat(owner.executed).isEmpty();
    }

    @Test
    void anyNodeTakesAnEndAndTheOwnerDoesItOnce() {
        Node owner = node("n1").owning("run-1");
        owner.live();
        Node asked = node("n2").live();
        assertAnsweredBy("n1", "end", asked.ask(RunChannels.END, END));
        assertThat(owner.executed).containsExactly(END);
    }

    /** Asked again of a run that has ended it would be refused, although it was done. */
    @Test
    void anEndThatAFormerOwnerHasDoneIsNotRefused() {
        Node former = node("n1").owning("run-1");
        long id = await(former.requests.askOwner("run-1", "end", json(END), "n3"));
        assertThat(await(former.requests.take(id, "n1"))).isPresent();
        await(store.append(happened("run-1", "run.ended")));
        Node owner = node("n2");
        owner.own("run-1");
        owner.live();

        Awaitility.await()
                .until(() -> !await(former.requests.answers(Set.of(id))).isEmpty());
        assertAnsweredBy(
                "n2",
                "looked",
                RunRouter.read(await(former.requests.answers(Set.of(id))).get(id)));
        assertThat(owner.executed).isEmpty();
    }

    @Test
    void theNextOwnerExecutesATakenCommand() {
        Node former = node("n1").owning("run-1");
        NodeRequests inbox = former.requests;
        long id = await(inbox.askOwner("run-1", "resume", json(new ResumeRun("run-1", ResumeRequest.PLAIN)), "n3"));
        NodeRequests.Taken lost = await(inbox.take(id, "n1")).orElseThrow();
        Node owner = node("n2");
        owner.own("run-1");
        owner.live();

        Awaitility.await().until(() -> !await(inbox.answers(Set.of(id))).isEmpty());
        await(inbox.answer(id, lost.epoch(), "late"));
        assertAnsweredBy(
                "n2", "resume", RunRouter.read(await(inbox.answers(Set.of(id))).get(id)));
        assertThat(owner.executed).hasSize(1);
        assertThat(await(inbox.take(id, "n2"))).as("answered").isEmpty();
    }

    private static String json(Record command) {
        return Json.MAPPER.valueToTree(command).toString();
    }

    private static AppendEvents happened(String runId, String type) {
        AppendEvents next = append(runId, 1, 1);
        StoredEvent event = next.events().get(0);
        StoredEvent happened =
                new StoredEvent(runId, event.sequence(), event.at(), type, event.execution(), event.data());
        return new AppendEvents(runId, 1, 2, List.of(happened), next.row(), next.snapshot(), next.idempotencyKey());
    }

    @Test
    void aCommandOfANewerVersionIsRefusedAndNotForgotten() {
        Node owner = node("n1").owning("run-1").live();
        long id = await(owner.requests.askOwner("run-1", "fly", "{}", "n9"));

        Awaitility.await()
                .until(() -> !await(owner.requests.answers(Set.of(id))).isEmpty());
        RunAnswer answer =
                RunRouter.read(await(owner.requests.answers(Set.of(id))).get(id));
        assertThat(answer.refusal().orElseThrow().message()).contains("does not know the command fly");
    }
}
