package dev.loopkeeper.cluster;

import static dev.loopkeeper.store.StoreSamples.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.store.postgres.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What is killed or halted is a node in a process of its own; others are here. With wardens and a database that is as durable
 * as in earnest. They wait for leases on the real clock, longer ones than by default: a machine on which a renewal takes as
 * long as a lease would lose them.
 */
@Execution(ExecutionMode.CONCURRENT)
class TakeOverTest {
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final LeaseTerms SHORT = new LeaseTerms(Duration.ofSeconds(12));
    /** Its processes end later than another node would take its runs over that went by a lease of 8 s. */
    private static final LeaseTerms LONGER = new LeaseTerms(Duration.ofSeconds(16));
    /** A node that is started again is back before its deadline, however busy the machine is. */
    private static final LeaseTerms LONG = new LeaseTerms(Duration.ofMinutes(5));

    private static final String MANIFEST = """
            name: moved
            agents:
              worker: {command: ./work.sh, signal: .loopkeeper/work.json}
            phases:
              - {name: one, task: worker}
            """;
    /** Says which process it is as soon as it runs. */
    private static final String SLEEPER = "#!/bin/sh\necho $$ >>pids\nexec sleep 300\n";

    @TempDir
    private Path folder;

    private final List<NodeProcess> nodes = new ArrayList<>();
    private LocalNodes others;
    private TestDatabase database;
    private Path shared;

    @BeforeEach
    void prepare() throws IOException {
        others = new LocalNodes(folder);
        database = others.database;
        shared = others.workspace("work");
        Files.writeString(shared.resolve("moved.yaml"), MANIFEST);
        Path script = shared.resolve("work.sh");
        Files.writeString(script, SLEEPER);
        assertThat(script.toFile().setExecutable(true)).isTrue();
    }

    @AfterEach
    void endAll() throws IOException {
        nodes.forEach(NodeProcess::stop);
        others.close();
        // Also wardens, guards, and launchers, which note the end of their agents in the test's folder.
        Awaitility.await().atMost(SOON).until(() -> pids().stream().noneMatch(TakeOverTest::isAlive));
        Awaitility.await().atMost(SOON).until(() -> ProcessHandle.allProcesses().noneMatch(this::isOurs));
    }

    private boolean isOurs(ProcessHandle process) {
        try {
            boolean self = process.pid() == ProcessHandle.current().pid();
            return !self
                    && Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"), StandardCharsets.ISO_8859_1)
                            .contains(folder.toString());
        } catch (IOException gone) {
            return false;
        }
    }

    private NodeProcess start(String name, LeaseTerms terms) {
        NodeProcess node = NodeProcess.start(name, folder, database.options(), terms, Optional.of(others.root));
        nodes.add(node);
        return node;
    }

    private List<Long> pids() throws IOException {
        Path file = shared.resolve("pids");
        return Files.exists(file)
                ? Files.readAllLines(file).stream().map(Long::valueOf).toList()
                : List.of();
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    private long agent() throws IOException {
        Awaitility.await().atMost(SOON).until(() -> !pids().isEmpty());
        return pids().get(0);
    }

    private void awaitAnswer(String sql, String answer) {
        // Each question is a new connection, thus a process of the database.
        Awaitility.await()
                .atMost(SOON)
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> assertThat(database.ask(sql)).containsExactly(answer));
    }

    @Test
    void aKilledNodeEndsItsAgentsAndAnotherTakesItsRunOver() throws IOException {
        others.start("n2", LeaseTerms.DEFAULTS);
        NodeProcess first = start("n1", LONGER);
        String runId = first.submit(shared.resolve("moved.yaml"));
        long agent = agent();
        first.kill();

        awaitAnswer("SELECT owner FROM runs WHERE run_id = '" + runId + "'", "n2");
        assertThat(isAlive(agent))
                .as("ended by the warden before anybody else had the run")
                .isFalse();
        awaitAnswer("SELECT status FROM runs WHERE run_id = '" + runId + "'", "paused");
        assertThat(database.ask("SELECT view::json -> 'pause' ->> 'reason' FROM runs"))
                .containsExactly("missing_signals");
        assertThat(database.ask("SELECT DISTINCT data::json ->> 'code' FROM events WHERE type = 'notice'"))
                .containsExactly("taken-over");
        assertThat(pids()).as("launched once").hasSize(1);
        assertThat(database.ask("SELECT state FROM nodes WHERE node = 'n1'")).containsExactly("fenced");
        assertThat(database.ask("SELECT DISTINCT node FROM ownership ORDER BY node"))
                .containsExactly("n1", "n2");
    }

    @Test
    void aPlaceOfAKilledNodeIsFreeOnceItsAgentIsGone() throws IOException {
        LocalNodes.Node second = others.start("n2", LeaseTerms.DEFAULTS);
        await(second.keeper().applyPolicy("pools: {one: {places: 1, programs: [work.sh]}}"));
        NodeProcess first = start("n1", LONGER);
        first.submit(shared.resolve("moved.yaml"));
        long agent = agent();
        awaitAnswer("SELECT count(*) FROM pools", "1");
        Path workspace = others.workspace("second");
        Files.copy(shared.resolve("work.sh"), workspace.resolve("work.sh"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.writeString(workspace.resolve("work.sh"), "#!/bin/sh\nkill -0 " + agent + " || touch alone\n");
        String waiting = second.submit(MANIFEST.replace(", signal: .loopkeeper/work.json", ""), workspace);
        awaitAnswer("SELECT status FROM runs WHERE run_id = '" + waiting + "'", "waiting");

        first.kill();

        awaitAnswer("SELECT status FROM runs WHERE run_id = '" + waiting + "'", "completed");
        assertThat(workspace.resolve("alone")).exists();
        awaitAnswer("SELECT count(*) FROM pools", "0");
    }

    @Test
    void aNodeThatIsBackWithinItsLeaseAdoptsItsAgents() throws IOException {
        NodeProcess first = start("n1", LONG);
        String runId = first.submit(shared.resolve("moved.yaml"));
        long agent = agent();
        first.kill();
        LocalNodes.Node again = others.start("n1", LONG);

        assertThat(isAlive(agent)).isTrue();
        assertThat(database.ask("SELECT data::json ->> 'code' FROM events WHERE type = 'notice'"))
                .containsExactly("recovered");
        assertThat(ProcessHandle.of(agent).orElseThrow().destroyForcibly()).isTrue();
        awaitAnswer("SELECT status FROM runs WHERE run_id = '" + runId + "'", "paused");
        again.end();
        assertThat(database.ask("SELECT state FROM nodes")).containsExactly("left");
        assertThat(pids()).as("launched once").hasSize(1);
    }

    /** Paused beyond its lease it believes, for as long as it has not looked, that all is as it was. */
    @Test
    void aHaltedNodeChecksItsLeaseFirstWhenItContinues() throws IOException, InterruptedException {
        NodeProcess first = start("n1", SHORT);
        others.start("n2", SHORT);
        String runId = first.submit(shared.resolve("moved.yaml"));
        long agent = agent();
        signal("STOP", first.pid());
        try {
            awaitAnswer("SELECT owner FROM runs WHERE run_id = '" + runId + "'", "n2");
            awaitAnswer("SELECT status FROM runs WHERE run_id = '" + runId + "'", "paused");
            assertThat(isAlive(agent)).as("ended by the warden").isFalse();
        } finally {
            signal("CONT", first.pid());
        }

        awaitAnswer("SELECT (incarnation > 1 AND state = 'live')::text FROM nodes WHERE node = 'n1'", "true");
        assertThat(database.ask("SELECT e.type FROM events e JOIN events later USING (run_id)"
                        + " WHERE e.position < later.position AND e.epoch > later.epoch"))
                .as("written by who was not the owner any more")
                .isEmpty();
        assertThat(pids()).as("launched once").hasSize(1);
    }

    private static void signal(String name, long pid) throws IOException, InterruptedException {
        Process sent = new ProcessBuilder("kill", "-s", name, Long.toString(pid)).start();
        assertThat(sent.waitFor()).isZero();
    }

    /** Its first agent sleeps; the second one leaves its signal. */
    @Test
    void theTakeoverRelaunchesAnAgentWithRetryOnNodeLoss() throws IOException {
        Files.writeString(
                shared.resolve("moved.yaml"), MANIFEST.replace("work.json}", "work.json, onNodeLoss: retry}"));
        Files.writeString(shared.resolve("work.sh"), """
                #!/bin/sh
                echo $$ >>pids
                [ -e begun ] || { >begun; exec sleep 300; }
                printf '{"status":"completed","nonce":"%s"}' "$LOOPKEEPER_NONCE" >"$LOOPKEEPER_SIGNAL_FILE"
                """);
        NodeProcess first = start("n1", SHORT);
        others.start("n2", SHORT);
        String runId = first.submit(shared.resolve("moved.yaml"));
        long agent = agent();
        first.kill();

        awaitAnswer("SELECT status FROM runs WHERE run_id = '" + runId + "'", "completed");
        assertThat(isAlive(agent)).isFalse();
        assertThat(pids()).as("once by each node").hasSize(2);
        assertThat(database.ask("SELECT data::json ->> 'stepId' FROM events WHERE type = 'step.started'"))
                .hasSize(2)
                .doesNotHaveDuplicates();
        assertThat(database.ask("SELECT data::json -> 'error' ->> 'kind' FROM events WHERE type = 'step.retrying'"))
                .containsExactly("node-lost");
    }

    /** No process is left that could check the deadline: the end of what they held open shows it. */
    @Test
    void aNodeThatIsKilledWithItsWardenEndsItsAgentsAtOnce() throws IOException {
        NodeProcess first = start("n1", LONG);
        first.submit(shared.resolve("moved.yaml"));
        long agent = agent();
        long warden = Long.parseLong(
                Files.readString(folder.resolve("n1/cluster/warden")).strip());
        ProcessHandle runtime = ProcessHandle.of(first.pid()).orElseThrow();
        // In this order: a living runtime would start another warden.
        assertThat(runtime.destroyForcibly()).isTrue();
        assertThat(ProcessHandle.of(warden).orElseThrow().destroyForcibly()).isTrue();

        Awaitility.await().atMost(SOON).until(() -> !isAlive(agent));
    }
}
