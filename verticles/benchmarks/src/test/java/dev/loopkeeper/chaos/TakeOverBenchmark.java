package dev.loopkeeper.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long it takes from each kind of fault to the first event of the run on another node, from the start of a killed
 * runtime until it continues with its agents, from the order to end a node until another one has its runs, and how many
 * agents a restart of the database ends. Three {@code serve} with the default lease and a PostgreSQL with {@code fsync}:
 * {@code mvn -Pbench test -Dtest=TakeOverBenchmark -Dsurefire.failIfNoSpecifiedTests=false}, some three minutes a round;
 * {@code -Dloopkeeper.bench.rounds=10} for more than three rounds.
 */
class TakeOverBenchmark {
    private static final int ROUNDS = Integer.getInteger("loopkeeper.bench.rounds", 3);
    private static final String LEASE = "8s";
    private static final String ADOPTION = "runtime killed and started again, its agents adopted";
    private static final String RESTING = "planned end of a node, a run that rests";
    private static final String AWAY = "database restarted (fast), first renewal of all nodes";
    private static final String LONG_AWAY = "database away until all agents were ended, then all runs go on";
    private static final String MANIFEST = """
            name: measured
            agents:
              worker:
                command: [sh, -c, "echo $$ >pid.new; mv pid.new pid; exec sleep 600"]
                signal: .loopkeeper/work.json
            phases:
              - {name: one, task: worker}
            """;

    @TempDir
    private Path folder;

    private final Map<String, List<Double>> took = new LinkedHashMap<>();
    private final Figures figures =
            new Figures("takeover", List.of("what", "median, s", "worst, s", "rounds", "goal, s", "load"));
    private ChaosCluster cluster;
    private ServeClient client;
    private int count;
    private int ended;
    private int living;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        cluster = new ChaosCluster(folder, LEASE, false);
        client = new ServeClient(cluster.client);
        cluster.start();
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    @Test
    void measuresTakeoverByKindOfFault() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            for (NodeFault fault : List.of(
                    NodeFault.RUNTIME_KILLED,
                    NodeFault.RUNTIME_AND_WARDEN_KILLED,
                    NodeFault.RUNTIME_STOPPED,
                    NodeFault.EVERYTHING_STOPPED,
                    NodeFault.CUT)) {
                takeover(fault);
            }
            adoption();
            plannedEnd();
            restartOfTheDatabase();
            absenceOfTheDatabase();
        }
        took.forEach((what, times) -> figures.add(
                what,
                Figures.text(Figures.median(times)),
                Figures.text(Figures.worst(times)),
                Integer.toString(times.size()),
                goal(what)));
        figures.print();
        System.out.println(ended + " of " + living + " agents were ended by a restart of the database (goal: none)");
    }

    private static String goal(String what) {
        return switch (what) {
            case ADOPTION -> "4";
            case LONG_AWAY -> "10";
            case RESTING -> "1";
            case AWAY -> "";
            default -> "10, median 8.5";
        };
    }

    private void note(String what, long begun) {
        double seconds = (System.nanoTime() - begun) / 1e9;
        took.computeIfAbsent(what, one -> new ArrayList<>()).add(seconds);
        System.out.printf("%s: %.2f s, load %s%n", what, seconds, Figures.load());
    }

    private static ConditionFactory soon() {
        return Awaitility.await().atMost(Duration.ofMinutes(2)).pollInterval(Duration.ofMillis(10));
    }

    private void await(String sql) {
        soon().until(() -> cluster.database.ask("SELECT " + sql).equals(List.of("t")));
    }

    private static String hasStatus(String run, String status) {
        return "status = '" + status + "' FROM runs WHERE run_id = '" + run + "'";
    }

    private ChaosNode next() {
        return cluster.nodes.get(count % cluster.nodes.size());
    }

    private void takeover(NodeFault fault) throws Exception {
        ChaosNode node = next();
        String run = submit(node);
        long begun = System.nanoTime();
        fault.begin(node);
        await("count(*) > 0 FROM events e JOIN ownership o USING (run_id, epoch) WHERE run_id = '" + run
                + "' AND o.node <> '" + node.name + "'");
        note(fault.toString(), begun);
        await(hasStatus(run, "paused"));
        fault.end(node);
        node.awaitLive(cluster.client);
        await("count(*) = 3 FROM nodes WHERE state = 'live'");
        stop(node, run);
    }

    private void stop(ChaosNode node, String run) throws IOException, InterruptedException {
        client.stop(node, run);
        await(hasStatus(run, "stopped"));
    }

    /** Until the node says that it is ready; it says so when it has gone on with what it had. */
    private void adoption() throws Exception {
        ChaosNode node = next();
        String run = submit(node);
        long agent = agent();
        node.kill();
        long begun = System.nanoTime();
        node.start();
        node.awaitLive(cluster.client);
        note(ADOPTION, begun);
        assertThat(Signals.isAlive(agent)).as("agent of the killed runtime").isTrue();
        assertThat(cluster.database.ask("SELECT status, owner FROM runs WHERE run_id = '" + run + "'"))
                .containsExactly("running " + node.name);
        stop(node, run);
        assertThat(Signals.isAlive(agent)).as("adopted agent of a stopped run").isFalse();
    }

    /** Of a run that waits for a person. */
    private void plannedEnd() throws Exception {
        ChaosNode node = next();
        String run = submit(node);
        Signals.send("KILL", agent());
        await(hasStatus(run, "paused"));
        long begun = System.nanoTime();
        CompletableFuture<Long> over = CompletableFuture.supplyAsync(node::end);
        await("owner IS NOT NULL AND owner <> '" + node.name + "' FROM runs WHERE run_id = '" + run + "'");
        note(RESTING, begun);
        assertThat(over.join()).isPositive();
        node.start();
        node.awaitLive(cluster.client);
        stop(node, run);
    }

    /** Runs by their agents, one on each node in the order of nodes. */
    private Map<Long, String> everywhere() throws IOException, InterruptedException {
        Map<Long, String> runs = new LinkedHashMap<>();
        for (ChaosNode node : cluster.nodes) {
            String run = submit(node);
            runs.put(agent(), run);
        }
        return runs;
    }

    private void stop(Map<Long, String> runs) throws IOException, InterruptedException {
        cluster.awaitLive();
        for (String run : runs.values()) {
            stop(cluster.nodes.get(0), run);
        }
    }

    private void restartOfTheDatabase() throws Exception {
        Map<Long, String> runs = everywhere();
        List<String> before = beats();
        long begun = System.nanoTime();
        cluster.database.restart("INT");
        soon().until(() -> beats().stream().noneMatch(before::contains));
        note(AWAY, begun);
        living += runs.size();
        ended += (int)
                runs.keySet().stream().filter(agent -> !Signals.isAlive(agent)).count();
        stop(runs);
    }

    /** As all nodes see it: none of them reaches it. */
    private void absenceOfTheDatabase() throws Exception {
        Map<Long, String> runs = everywhere();
        for (ChaosNode node : cluster.nodes) {
            NodeFault.CUT.begin(node);
        }
        soon().until(() -> runs.keySet().stream().noneMatch(Signals::isAlive));
        long begun = System.nanoTime();
        for (ChaosNode node : cluster.nodes) {
            NodeFault.CUT.end(node);
        }
        for (String run : runs.values()) {
            await(hasStatus(run, "paused"));
        }
        note(LONG_AWAY, begun);
        stop(runs);
    }

    private List<String> beats() {
        return cluster.database.ask("SELECT node, incarnation, beat FROM nodes");
    }

    /** Answers when its agent runs. */
    private String submit(ChaosNode node) throws IOException, InterruptedException {
        Path workspace = Files.createDirectories(cluster.shared.resolve("w" + ++count));
        String run = client.submit(node, MANIFEST, workspace);
        soon().until(() -> Files.exists(workspace.resolve("pid")));
        return run;
    }

    /** Of the run that was submitted last. */
    private long agent() throws IOException {
        Path pid = cluster.shared.resolve("w" + count).resolve("pid");
        return Long.parseLong(Files.readString(pid).strip());
    }
}
