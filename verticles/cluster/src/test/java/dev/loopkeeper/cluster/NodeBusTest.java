package dev.loopkeeper.cluster;

import static dev.loopkeeper.store.StoreSamples.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.NodeChannels;
import dev.loopkeeper.contract.NodeChannels.AskNode;
import dev.loopkeeper.contract.NodeChannels.NodeReply;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.KillRole;
import dev.loopkeeper.contract.ProcessChannels.ListProcesses;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.json.Json;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes wake each other over a clustered Vert.x. Requests never pass it, and nothing depends on it. */
class NodeBusTest {
    private static final long LONG = Duration.ofMinutes(1).toMillis();
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Object ALL = new ListProcesses(Optional.empty());
    private static final String IDENTITY = "SELECT c.system_identifier::text || 'd' || d.oid::text"
            + " FROM pg_control_system() c, pg_database d WHERE d.datname = current_database()";
    private static final String SLEEPER = """
            name: sleeper
            agents: {dev: {command: [sleep, "300"]}}
            phases: [{name: only, task: dev}]
            """;

    @TempDir
    private Path folder;

    private LocalNodes nodes;
    private final List<Vertx> extra = new ArrayList<>();

    @BeforeEach
    void prepare() {
        nodes = new LocalNodes(folder);
    }

    @AfterEach
    void end() {
        nodes.close();
        extra.forEach(vertx -> await(vertx.close()));
    }

    private static NodeReply ask(LocalNodes.Node asking, String node, String channel, Object question, long patience) {
        String body = Json.MAPPER.valueToTree(question).toString();
        return asking.ask(NodeChannels.ASK, new AskNode(node, channel, body, patience));
    }

    private static NodeReply.Outcome list(LocalNodes.Node asking, String node) {
        return ask(asking, node, ProcessChannels.LIST.address(), ALL, LONG).outcome();
    }

    private String address(String rest) {
        return "loopkeeper.cluster." + nodes.database.ask(IDENTITY).get(0) + "." + rest;
    }

    /** Number of the last request that was written into the database. */
    private List<String> written() {
        return nodes.database.ask("SELECT last_value::text || is_called::text FROM requests_id_seq");
    }

    /** Returns the hints that pass this bus, each as sender and kind. */
    private Set<String> hints(Vertx bus) {
        Set<String> received = new ConcurrentSkipListSet<>();
        await(bus.eventBus()
                .<Object>consumer(
                        address("hints"), hint -> received.add(hint.headers().get("from") + " " + hint.body()))
                .completion());
        return received;
    }

    private static void awaitHints(Set<String> received, String... expected) {
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(received).contains(expected));
    }

    @Test
    void aClusteredVertxOfTheEmbedderCarriesHintsAndNoRequests() throws IOException {
        List<Vertx> joined = await(ClusteredVertx.of(3));
        extra.add(joined.get(2));
        LocalNodes.Node first = nodes.startIn("n1", joined.get(0));
        LocalNodes.Node second = nodes.startIn("n2", joined.get(1));
        Set<String> hints = hints(joined.get(2));

        String runId = first.submit(SLEEPER, nodes.workspace("a"));
        assertThat(second.ask(RunChannels.STOP, new StopRun(runId, Optional.of("enough"), true))
                        .refusal())
                .isEmpty();
        Awaitility.await().atMost(SOON).until(() -> {
            assertThat(list(second, "n1")).isEqualTo(NodeReply.Outcome.ANSWERED);
            return hints.containsAll(Set.of("n2 REQUESTS", "n1 REQUESTS"));
        });
        awaitHints(hints, "n1 FEED");
        List<String> before = written();
        assertThat(list(second, "n1")).isEqualTo(NodeReply.Outcome.ANSWERED);
        assertThat(written()).isNotEqualTo(before);
    }

    @Test
    void unknownMessagesOfAPeerAreIgnored() throws IOException {
        List<Vertx> joined = await(ClusteredVertx.of(3));
        extra.add(joined.get(2));
        LocalNodes.Node first = nodes.startIn("n1", joined.get(0));
        LocalNodes.Node second = nodes.startIn("n2", joined.get(1));
        Set<String> hints = hints(joined.get(2));
        String kill = Json.MAPPER.valueToTree(new KillRole("r", "dev", true)).toString();
        List<Object> hostile = List.of(
                "",
                "null",
                "[]",
                "FEED ",
                "x".repeat(1024 * 1024),
                Json.MAPPER
                        .valueToTree(new AskNode("n1", ProcessChannels.KILL.address(), kill, LONG))
                        .toString(),
                42L,
                Buffer.buffer(new byte[] {1, 2, 3}),
                new JsonObject().put("node", "n1"));
        List<String> before = written();
        for (Object message : hostile) {
            joined.get(2).eventBus().publish(address("hints"), message);
            String reply = await(joined.get(2)
                    .eventBus()
                    .<String>request(address("node.n1"), message, new DeliveryOptions().setSendTimeout(LONG))
                    .map(Message::body));
            assertThat(reply).as(String.valueOf(message)).isEqualTo("n1");
        }
        assertThat(written()).isEqualTo(before);
        assertThat(list(second, "n1")).isEqualTo(NodeReply.Outcome.ANSWERED);
        String unused = first.submit(SLEEPER, nodes.workspace("a"));
        awaitHints(hints, "n1 FEED");
    }

    /** The channels of the engine are not reached from outside, whatever Vert.x it is embedded in. */
    @Test
    void aPeerReachesNoChannelOfTheEngine() throws IOException {
        List<Vertx> joined = await(ClusteredVertx.of(2));
        extra.add(joined.get(1));
        LocalNodes.Node node = nodes.startIn("n1", joined.get(0));

        assertThat(ask(node, "n1", ProcessChannels.LIST.address(), ALL, LONG).outcome())
                .isEqualTo(NodeReply.Outcome.ANSWERED);
        Future<Message<Object>> asked = joined.get(1).eventBus().request(ProcessChannels.LIST.address(), "x");
        Awaitility.await().atMost(SOON).until(asked::isComplete);
        assertThat(asked.cause()).hasMessageContaining("No handlers");
    }

    @Test
    void aBusOfItsOwnThatIsLostLosesNothing() throws IOException {
        List<Vertx> buses = await(ClusteredVertx.of(2));
        AtomicInteger tried = new AtomicInteger();
        LocalNodes.Node first = nodes.startWith(
                "n1",
                () -> tried.incrementAndGet() == 1
                        ? Future.failedFuture("its port is taken")
                        : Future.succeededFuture(buses.get(0)));
        AtomicInteger unpacked = new AtomicInteger();
        LocalNodes.Node second = nodes.startWith("n2", () -> {
            if (unpacked.incrementAndGet() == 1) {
                throw new IOException("it cannot be unpacked");
            }
            return Future.succeededFuture(buses.get(1));
        });
        Set<String> hints = hints(buses.get(1));
        Awaitility.await().atMost(SOON).until(() -> {
            assertThat(list(second, "n1")).isEqualTo(NodeReply.Outcome.ANSWERED);
            return hints.containsAll(Set.of("n1 REQUESTS", "n2 REQUESTS"));
        });
        assertThat(tried).hasValue(2);
        assertThat(unpacked).hasValue(2);

        for (Vertx bus : buses) {
            await(bus.close());
        }
        assertThat(list(second, "n1")).isEqualTo(NodeReply.Outcome.ANSWERED);
        String runId = first.submit(SLEEPER, nodes.workspace("a"));
        assertThat(second.ask(RunChannels.STOP, new StopRun(runId, Optional.of("enough"), true))
                        .refusal())
                .isEmpty();
    }
}
