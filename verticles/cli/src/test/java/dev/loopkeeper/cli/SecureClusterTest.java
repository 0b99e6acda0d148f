package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.loopkeeper.cluster.BusAddress;
import dev.loopkeeper.cluster.BusOptions;
import dev.loopkeeper.cluster.BusTls;
import dev.loopkeeper.cluster.HazelcastBus;
import dev.loopkeeper.store.ClusterEvents;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** Nodes whose database lets in by TLS alone and whose bus asks everybody who he is. */
@Isolated("reads the log of the process, or changes what it has once")
class SecureClusterTest {
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final int MEMBERS = 6;
    private static final String MANIFEST = """
            name: spoken
            agents: {dev: {command: [sh, -c, 'echo heard-from-afar; sleep 300']}}
            phases: [{name: only, task: dev}]
            """;

    @TempDir
    static Path keys;

    private static StoreServer server;
    private static TestAuthority authority;
    private static TestAuthority stranger;

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.loopkeeper.cluster.NodeBus");
    private final Lines lines = new Lines();
    private final List<ServedNode> served = new ArrayList<>();
    private final List<Vertx> listeners = new ArrayList<>();

    @TempDir
    Path folder;

    private Terminal terminal;
    private List<Integer> ports;

    private static final class Lines extends AppenderBase<ILoggingEvent> {
        private final List<String> all = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent line) {
            all.add(line.getFormattedMessage());
        }
    }

    @BeforeAll
    static void start() throws Exception {
        authority = new TestAuthority(keys.resolve("authority"));
        stranger = new TestAuthority(keys.resolve("stranger"));
        server = StoreServer.start();
        server.execute("postgres", "CREATE USER node PASSWORD 'right'");
        Path rules = server.data().resolve("pg_hba.conf");
        String others = Files.readString(rules);
        Files.writeString(
                rules,
                "hostssl all node 127.0.0.1/32 scram-sha-256\nhostnossl all node 127.0.0.1/32 reject\n" + others);
        server.certificate(authority.sign("ip:127.0.0.1", 1, 30));
        server.set("ssl", "on");
        Awaitility.await().until(() -> server.ask("postgres", "SHOW ssl").equals(List.of("on")));
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @BeforeEach
    void prepare() throws IOException {
        server.makeDatabase("secure");
        server.execute("postgres", "GRANT CREATE ON DATABASE secure TO node");
        terminal = new Terminal(folder.resolve("data"));
        terminal.environment.put("LOOPKEEPER_STORE_PASSWORD", "right");
        ports = Stream.generate(BusPorts::free)
                .limit(MEMBERS)
                .map(BusAddress::port)
                .toList();
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.INFO);
    }

    @AfterEach
    void end() throws Exception {
        served.forEach(ServedNode::close);
        for (Vertx listener : listeners) {
            await(listener.close());
        }
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    private Path data(String node) {
        return folder.resolve(node);
    }

    private void serve(int number, String... tls) throws Exception {
        String members =
                String.join(",", ports.stream().map(port -> "127.0.0.1:" + port).toList());
        List<String> all = new ArrayList<>(List.of(
                "--node",
                "n" + number,
                "--store",
                server.url("node", "secure"),
                "--lease",
                "5m",
                "--cluster",
                members));
        all.addAll(List.of("--cluster-bind", "127.0.0.1:" + ports.get(number - 1)));
        all.addAll(List.of("--store-ca", authority.certificate().toString()));
        all.addAll(List.of(tls));
        ServedNode node = new ServedNode(terminal, data("n" + number), all.toArray(new String[0]));
        served.add(node);
        assertThat(node.url()).isNotEmpty();
    }

    private static String[] shows(TestAuthority signer) throws Exception {
        TestAuthority.Certificate own = signer.sign("dns:node", 1, 30);
        return new String[] {
            "--cluster-tls-certificate",
            own.certificate().toString(),
            "--cluster-tls-key",
            own.key().toString(),
            "--cluster-tls-trust",
            signer.certificate().toString()
        };
    }

    private Terminal.CommandOutput ask(String node, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--data", data(node).toString()));
        return terminal.plain(all.toArray(new String[0]));
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    /** Joins the bus with a certificate of this authority and returns the runs whose events it receives. */
    private List<String> runsReceived(int member, TestAuthority signer) throws Exception {
        TestAuthority.Certificate own = signer.sign("dns:listener", 1, 30);
        BusTls tls = new BusTls(own.certificate(), own.key(), signer.certificate());
        List<BusAddress> members =
                ports.stream().map(port -> new BusAddress("127.0.0.1", port)).toList();
        Vertx listener =
                await(new HazelcastBus(new BusOptions(members, members.get(member - 1), Optional.of(tls))).call());
        listeners.add(listener);
        List<String> runs = new CopyOnWriteArrayList<>();
        await(listener.eventBus()
                .<JsonObject>consumer(
                        ClusterEvents.ADDRESS, event -> runs.add(event.body().getString("runId")))
                .completion());
        return runs;
    }

    /** Submits runs until the events of one are received: a node joins the bus after it serves. */
    private String submitUntilReceived(String node, List<String> received) {
        AtomicInteger number = new AtomicInteger();
        // Each run starts an agent.
        Awaitility.await().atMost(SOON).pollInterval(Duration.ofSeconds(1)).until(() -> {
            String unused = submitted(node, "spoken-" + number.incrementAndGet());
            return !received.isEmpty();
        });
        return received.get(0);
    }

    private String submitted(String node, String runId) throws IOException {
        Path work = Files.createDirectories(folder.resolve("work-" + runId));
        Path manifest = Files.writeString(folder.resolve("spoken.yaml"), MANIFEST);
        Terminal.CommandOutput result =
                ask(node, "submit", manifest.toString(), "--run-id", runId, "--workspace", work.toString(), "--json");
        assertThat(result.exitCode()).as(result.err()).isZero();
        return runId;
    }

    @Test
    void nodesOfOneAuthorityShareEventsAndFiles() throws Exception {
        serve(1, shows(authority));
        serve(2, shows(authority));
        String run = submitUntilReceived("n1", runsReceived(MEMBERS, authority));

        Awaitility.await().atMost(SOON).until(() -> ask("n2", "logs", run).out().contains("heard-from-afar"));
        assertThat(ask("n2", "ps").out()).contains(run);
        assertThat(server.ask(
                        "secure",
                        "SELECT DISTINCT s.ssl::text FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid)"
                                + " WHERE a.application_name = 'loopkeeper' AND a.usename = 'node'"))
                .containsExactly("true");
        assertThat(ask("n2", "stop", run, "--now").exitCode()).isZero();
        assertThat(lines.all).noneMatch(line -> line.contains("cannot be reached"));
    }

    /** One shows a certificate that another authority has signed, one shows none. */
    @Test
    void untrustedNodesReceiveNothingAndAreNamed() throws Exception {
        serve(1, shows(authority));
        serve(2, shows(authority));
        serve(3, shows(stranger));
        serve(4);
        List<String> receivedByStrangers = runsReceived(MEMBERS - 1, stranger);
        String run = submitUntilReceived("n1", runsReceived(MEMBERS, authority));

        Awaitility.await()
                .atMost(SOON)
                .untilAsserted(() -> assertThat(lines.all)
                        .filteredOn(line -> line.contains("cannot be reached"))
                        .anyMatch(line -> line.startsWith("n3 is on the cluster's event bus"))
                        .anyMatch(line -> line.startsWith("n4 is on the cluster's event bus"))
                        .anyMatch(line -> line.startsWith("n1 is on the cluster's event bus"))
                        .allMatch(line -> line.contains("--cluster-tls-trust")));
        assertThat(receivedByStrangers).isEmpty();
        for (String intruder : List.of("n3", "n4")) {
            Awaitility.await()
                    .atMost(SOON)
                    .untilAsserted(() -> assertThat(ask(intruder, "logs", run).out())
                            .as("by the database, to " + intruder)
                            .contains("heard-from-afar"));
        }
        assertThat(ask("n4", "stop", run, "--now").exitCode()).isZero();
    }
}
