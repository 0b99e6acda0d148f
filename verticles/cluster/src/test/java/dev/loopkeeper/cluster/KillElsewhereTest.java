package dev.loopkeeper.cluster;

import static dev.loopkeeper.store.StoreSamples.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.ProcessChannels.KillRole;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.termination.RefusalCode;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A role is ended by way of a node that has nothing of it, while the node that has it stands still or is gone. */
@Execution(ExecutionMode.CONCURRENT)
class KillElsewhereTest {
    private static final LeaseTerms LONG = new LeaseTerms(Duration.ofMinutes(5));
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String MANIFEST = """
            name: held
            workspace: .
            agents: {dev: {command: ["sh", "-c", "echo $$ >>pids; exec sleep 300"]}}
            phases: [{name: only, task: dev}]
            """;

    @TempDir
    private Path folder;

    private LocalNodes nodes;
    private LocalNodes.Node asked;
    private NodeProcess owner;
    private String runId;
    private long agent;

    @BeforeEach
    void start() throws IOException {
        nodes = new LocalNodes(folder);
        Path work = nodes.workspace("a");
        Path manifest = Files.writeString(work.resolve("held.yaml"), MANIFEST);
        owner = NodeProcess.start("n1", folder, nodes.database.options(), LONG, Optional.of(nodes.root));
        runId = owner.submit(manifest);
        Path pids = work.resolve("pids");
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> Files.exists(pids) && Files.readString(pids).endsWith("\n"));
        agent = Long.parseLong(Files.readString(pids).strip());
    }

    @AfterEach
    void end() {
        owner.stop();
        nodes.close();
    }

    private boolean isAlive() {
        return ProcessHandle.of(agent).filter(ProcessHandle::isAlive).isPresent();
    }

    /** A process that reads its exit status may be late; until then there is something with its pid that runs no more. */
    private void awaitEnd() {
        Awaitility.await().atMost(PATIENCE).until(() -> !isAlive());
    }

    private Future<RunAnswer> kill() {
        return RunChannels.KILL.ask(
                asked.vertx().eventBus(), new KillRole(runId, "dev", true), PATIENCE.multipliedBy(2));
    }

    private static void signal(String name, long pid) throws IOException, InterruptedException {
        Process sent = new ProcessBuilder("kill", "-s", name, Long.toString(pid)).start();
        assertThat(sent.waitFor()).isZero();
    }

    /** Between two transactions: the locks of one would hold up the other node too. */
    private void haltOwner() {
        Awaitility.await().atMost(PATIENCE).until(() -> {
            signal("STOP", owner.pid());
            boolean between = nodes.database
                    .ask("SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
                            + " AND pid <> pg_backend_pid() AND state <> 'idle'")
                    .isEmpty();
            if (!between) {
                signal("CONT", owner.pid());
            }
            return between;
        });
    }

    private void awaitCommand(String state) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(nodes.database.ask("SELECT action FROM requests WHERE " + state))
                        .containsExactly("kill"));
    }

    @Test
    void aHaltedNodeExecutesTheKillOnceWhenItContinues() throws IOException, InterruptedException {
        // However long it takes until the owner continues.
        asked = nodes.startPatient("n2");
        haltOwner();
        Future<RunAnswer> answer;
        try {
            answer = kill();
            awaitCommand("taken_epoch IS NULL AND answer IS NULL");
            assertThat(isAlive()).isTrue();
        } finally {
            signal("CONT", owner.pid());
        }

        assertThat(await(answer).document().orElseThrow().path("outcome").asText())
                .isEqualTo("gone");
        awaitEnd();
        awaitCommand("answer IS NOT NULL");
        // The run is notified of its agent's end a moment later.
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(nodes.database.ask("SELECT count(*) FROM events WHERE type = 'step.finished'"))
                                .containsExactly("1"));
        assertThat(await(kill()).refusal().orElseThrow().code()).isEqualTo(RefusalCode.NOT_FOUND);
    }

    /** For as long as its lease lasts its agents live, and may be adopted. */
    @Test
    void whatANodeThatIsGoneWasAskedIsWithdrawnAndSaidClearly() {
        asked = nodes.start("n2");
        owner.kill();
        RunAnswer answer = await(kill());

        assertThat(answer.refusal().orElseThrow().code()).isEqualTo(RefusalCode.NODE_UNREACHABLE);
        assertThat(answer.refusal().orElseThrow().message()).contains("nothing was done", "GET /nodes");
        assertThat(nodes.database.ask("SELECT count(*) FROM requests")).containsExactly("0");
        // Back within its lease it adopts its agent, and no process ends that any more.
        nodes.start("n1");
        assertThat(isAlive()).isTrue();
        assertThat(await(kill()).document().orElseThrow().path("outcome").asText())
                .isEqualTo("gone");
        awaitEnd();
    }
}
