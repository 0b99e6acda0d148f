package dev.loopkeeper.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What nodes that share a PostgreSQL with {@code fsync} cost, each figure beside another one of the same run, in turns:
 * appends beside a bare insert of the same texts, events and stops of another node beside those of the same one, with
 * and without the event bus, and the memory of a node beside that of a server alone. {@code mvn -Pbench test
 * -Dtest=ClusterBenchmark -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class ClusterBenchmark {
    private static final int ROUNDS = Integer.getInteger("loopkeeper.bench.rounds", 5);
    private static final long STRETCH_MILLIS = Integer.getInteger("loopkeeper.bench.millis", 1500);
    private static final int MANY = 64;
    private static final int STOPS = 4;
    private static final Duration SETTLED = Duration.ofSeconds(10);
    private static final String BOTH = "bus";
    private static final String WITHOUT = "without";

    private static final String BUSY = """
            name: busy
            agents: {one: {command: "sleep 0.05"}}
            retry: {stopConditions: {circuitBreaker: 0}}
            phases: [{name: work, loop: {steps: [one], maxIterations: 20, noProgress: 0, until: iterations}}]
            """;

    private static final String IDLE = """
            name: idle
            agents: {one: {command: "exec sleep 600"}}
            phases: [{name: work, task: one}]
            """;

    private static final Figures FIGURES =
            new Figures("cluster", List.of("measure", "now", "beside it", "ratio", "which is", "goal", "load"));

    @TempDir
    private Path folder;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ServeClient client = new ServeClient(http);
    private final List<ServeNode> nodes = new ArrayList<>();
    private ChaosDatabase database;

    @BeforeEach
    void startDatabase() throws IOException {
        database = new ChaosDatabase(folder);
    }

    @AfterEach
    void close() throws IOException {
        for (ServeNode node : nodes) {
            if (node.isAlive()) {
                node.end();
            }
        }
        Signals.killAll(folder);
        database.close();
    }

    @AfterAll
    static void print() {
        FIGURES.print();
    }

    @Test
    void measuresAppends() throws Exception {
        List<AppendingNode> one = new ArrayList<>();
        List<AppendingNode> three = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        List<BareInsert> bare = new ArrayList<>();
        try (Connection table = database.connect("postgres")) {
            BareInsert.makeTable(table);
            database.make("alone");
            one.add(new AppendingNode("n0", database.url("alone"), folder.resolve("n0.log")));
            for (String name : List.of("n1", "n2", "n3")) {
                three.add(new AppendingNode(name, database.url(ChaosDatabase.NAME), folder.resolve(name + ".log")));
                bare.add(new BareInsert(database.connect("postgres"), AppendingNode.texts()));
            }
            List<BareInsert> single = bare.subList(0, 1);
            for (AppendComparison warmUp :
                    List.of(new AppendComparison(one, single, MANY), new AppendComparison(three, bare, MANY))) {
                warmUp.take(threads);
            }
            AppendComparison oneRun = new AppendComparison(one, single, 1);
            AppendComparison manyRuns = new AppendComparison(one, single, MANY);
            AppendComparison allNodes = new AppendComparison(three, bare, MANY);
            for (int round = 0; round < ROUNDS; round++) {
                oneRun.take(threads);
                manyRuns.take(threads);
                allNodes.take(threads);
            }
            oneRun.print("one node, one run", "1.5 ms", "800/s");
            manyRuns.print("one node, " + MANY + " runs", "", "8,000/s");
            allNodes.print("three nodes, " + MANY + " runs each", "", "6,000/s");
        } finally {
            threads.shutdownNow();
            one.forEach(AppendingNode::close);
            three.forEach(AppendingNode::close);
            for (BareInsert each : bare) {
                each.close();
            }
        }
    }

    /** Appends of nodes, and in turn with them bare inserts over as many connections. */
    private final class AppendComparison {
        private final List<AppendingNode> nodes;
        private final List<BareInsert> bare;
        private final int runs;
        private final Map<String, List<Double>> ours = new HashMap<>();
        private final Map<String, List<Double>> beside = new HashMap<>();

        AppendComparison(List<AppendingNode> nodes, List<BareInsert> bare, int runs) {
            this.nodes = nodes;
            this.bare = bare;
            this.runs = runs;
        }

        void take(ExecutorService threads) throws Exception {
            double database = ClusterBenchmark.this.database.cpuMillis();
            double node = cpuMillis();
            for (AppendingNode each : nodes) {
                each.begin(runs, STRETCH_MILLIS);
            }
            List<AppendingNode.Throughput> appends = new ArrayList<>();
            for (AppendingNode each : nodes) {
                appends.add(each.end());
            }
            note(ours, appends, ClusterBenchmark.this.database.cpuMillis() - database, cpuMillis() - node);
            database = ClusterBenchmark.this.database.cpuMillis();
            List<AppendingNode.Throughput> inserts = new ArrayList<>();
            List<Callable<AppendingNode.Throughput>> work = bare.stream()
                    .<Callable<AppendingNode.Throughput>>map(insert -> () -> insert.measure(runs, STRETCH_MILLIS))
                    .toList();
            for (Future<AppendingNode.Throughput> done : threads.invokeAll(work)) {
                inserts.add(done.get());
            }
            note(beside, inserts, ClusterBenchmark.this.database.cpuMillis() - database, 0);
        }

        private double cpuMillis() {
            return nodes.stream()
                    .mapToDouble(node ->
                            Signals.cpuMillis(ProcessHandle.of(node.pid()).orElseThrow()))
                    .sum();
        }

        private void note(
                Map<String, List<Double>> figures, List<AppendingNode.Throughput> all, double database, double node) {
            double appends =
                    all.stream().mapToDouble(AppendingNode.Throughput::appends).sum();
            note(
                    figures,
                    "millis",
                    all.stream()
                            .mapToDouble(AppendingNode.Throughput::medianMillis)
                            .max()
                            .orElseThrow());
            note(
                    figures,
                    "rate",
                    all.stream()
                            .mapToDouble(AppendingNode.Throughput::perSecond)
                            .sum());
            note(figures, "database", database / appends);
            note(figures, "node", node / appends);
        }

        private static void note(Map<String, List<Double>> figures, String which, double value) {
            figures.computeIfAbsent(which, one -> new ArrayList<>()).add(value);
        }

        void print(String what, String millisGoal, String rateGoal) {
            String baseline = "a bare insert of as many at once";
            compare("an append, " + what, " ms", ours.get("millis"), beside.get("millis"), baseline, millisGoal);
            compare("appends, " + what, "/s", ours.get("rate"), beside.get("rate"), baseline, rateGoal);
            compare(
                    "the database's processor time of an append, " + what,
                    " ms",
                    ours.get("database"),
                    beside.get("database"),
                    baseline,
                    "");
            compare(
                    "the nodes' processor time of an append, " + what,
                    " ms",
                    ours.get("node"),
                    ours.get("database"),
                    "the database's",
                    "");
        }
    }

    private static void compare(
            String what, String unit, List<Double> ours, List<Double> beside, String which, String goal) {
        double own = Figures.median(ours);
        double other = Figures.median(beside);
        FIGURES.add(what, Figures.text(own) + unit, Figures.text(other) + unit, Figures.text(own / other), which, goal);
    }

    /** Two nodes of one cluster. */
    private record NodePair(ServeNode a, ServeNode b) {}

    private NodePair pair(String name, List<List<String>> bus) throws IOException {
        database.make(name);
        return new NodePair(clustered(name + "-a", name, bus.get(0)), clustered(name + "-b", name, bus.get(1)));
    }

    private ServeNode clustered(String node, String base, List<String> bus) throws IOException {
        List<String> options = new ArrayList<>(List.of(
                "--node",
                node,
                "--store",
                database.url(base),
                "--shared-root",
                Files.createDirectories(folder.resolve("shared-" + base)).toString()));
        options.addAll(bus);
        return start(node, options);
    }

    private ServeNode start(String name, List<String> options) throws IOException {
        ServeNode node = new ServeNode(name, folder, options);
        nodes.add(node);
        node.start();
        return node;
    }

    private static List<List<String>> bus() throws IOException {
        String a = free();
        String b = free();
        return List.of(
                List.of("--cluster", a + "," + b, "--cluster-bind", a),
                List.of("--cluster", a + "," + b, "--cluster-bind", b));
    }

    /** Such that the port above it by 100 is one, too. */
    private static String free() throws IOException {
        try (ServerSocket held = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "127.0.0.1:" + (held.getLocalPort() > 60_000 ? held.getLocalPort() - 5_000 : held.getLocalPort());
        }
    }

    @Test
    void measuresMemoryFeedAndStops() throws Exception {
        // The first one may build the jar and its archive of classes.
        ServeNode alone = start("alone", List.of());
        alone.awaitLive(http);
        NodePair with = pair(BOTH, bus());
        NodePair without = pair(WITHOUT, List.of(List.of(), List.of()));
        for (ServeNode node : nodes) {
            node.awaitLive(http);
        }
        with.a().awaitSaid("joined the cluster's event bus");
        with.b().awaitSaid("joined the cluster's event bus");
        TimeUnit.MILLISECONDS.sleep(SETTLED.toMillis());
        memory("a node with the event bus", with.a(), alone);
        memory("a node without the event bus", without.a(), alone);
        feed(with, without);
        stops(with, without);
    }

    private static void memory(String what, ServeNode node, ServeNode alone) throws IOException {
        double own = mebibytes(node.pid());
        double other = mebibytes(alone.pid());
        FIGURES.add(
                "memory (PSS) of " + what + ", idle",
                Figures.text(own) + " MiB",
                Figures.text(other) + " MiB",
                "+" + Figures.text(own - other) + " MiB",
                "a server alone, SQLite",
                "+100 MB");
    }

    private static double mebibytes(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup")).stream()
                .filter(line -> line.startsWith("Pss:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024)
                .sum();
    }

    private void feed(NodePair with, NodePair without) throws Exception {
        Latencies bus = new Latencies(with);
        Latencies none = new Latencies(without);
        for (int round = 0; round < ROUNDS; round++) {
            bus.measure(round > 0);
            none.measure(round > 0);
        }
        bus.print("with the event bus", "10 ms");
        none.print("without the event bus", "300 ms");
    }

    /** From an event of A, as it is dated, to a client on B and to one on A. */
    private final class Latencies {
        private final NodePair pair;
        private final List<Double> there = new ArrayList<>();
        private final List<Double> here = new ArrayList<>();

        Latencies(NodePair pair) {
            this.pair = pair;
        }

        void measure(boolean counts) throws Exception {
            try (FeedClient near = FeedClient.open(http, pair.a());
                    FeedClient far = FeedClient.open(http, pair.b())) {
                Instant begun = Instant.now();
                String runId = client.submit(pair.a(), BUSY, workspace(pair));
                assertThat(near.until("run.ended", runId)).isAfter(begun);
                assertThat(far.until("run.ended", runId)).isAfter(begun);
                assertThat(far.events.keySet()).containsAll(near.events.keySet());
                if (counts) {
                    near.events.forEach((event, received) -> {
                        here.add(millis(received.at(), received.receivedAt()));
                        there.add(millis(received.at(), far.events.get(event).receivedAt()));
                    });
                }
            }
        }

        void print(String how, String goal) {
            compare("an event of A to a client on B, " + how, " ms", there, here, "to a client on A", goal);
        }
    }

    private static double millis(Instant from, Instant to) {
        return Duration.between(from, to).toNanos() / 1e6;
    }

    private Path workspace(NodePair pair) throws IOException {
        String base = pair.a().name.substring(0, pair.a().name.length() - 2);
        return Files.createTempDirectory(folder.resolve("shared-" + base), "w");
    }

    private void stops(NodePair with, NodePair without) throws Exception {
        Map<NodePair, List<Double>> there = Map.of(with, new ArrayList<>(), without, new ArrayList<>());
        Map<NodePair, List<Double>> here = Map.of(with, new ArrayList<>(), without, new ArrayList<>());
        for (int round = 0; round <= ROUNDS * STOPS; round++) {
            for (NodePair pair : List.of(with, without)) {
                double far = stop(pair, pair.b());
                double near = stop(pair, pair.a());
                if (round > 0) {
                    there.get(pair).add(far);
                    here.get(pair).add(near);
                }
            }
        }
        compare(
                "stop asked on B of a run of A, until run.stopping, with the event bus",
                " ms",
                there.get(with),
                here.get(with),
                "asked on A",
                "25 ms");
        compare(
                "stop asked on B of a run of A, until run.stopping, without the event bus",
                " ms",
                there.get(without),
                here.get(without),
                "asked on A",
                "600 ms");
    }

    /** Until a client on A is notified of it. */
    private double stop(NodePair pair, ServeNode asked) throws Exception {
        try (FeedClient near = FeedClient.open(http, pair.a())) {
            String runId = client.submit(pair.a(), IDLE, workspace(pair));
            Instant started = near.until("step.started", runId);
            Instant begun = Instant.now();
            client.stop(asked, runId);
            double millis = millis(begun, near.until("run.stopping", runId));
            assertThat(near.until("run.ended", runId)).isAfter(started);
            return millis;
        }
    }
}
