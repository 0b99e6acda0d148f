package dev.loopkeeper.cluster;

import static dev.loopkeeper.store.StoreSamples.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.NodeChannels;
import dev.loopkeeper.contract.NodeChannels.GetNodeFigures;
import dev.loopkeeper.contract.NodeChannels.NodeFigures;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StopRun;
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

/** A node whose lease is ended by another while it believes that it has it. */
class LostLeaseTest {
    private static final String LEASE = "SELECT incarnation || ' ' || state FROM nodes WHERE node = 'n1'";

    @TempDir
    private Path folder;

    private LocalNodes nodes;
    private Path pids;
    private String manifest;

    @BeforeEach
    void prepare() {
        pids = folder.resolve("pids");
        manifest = """
                name: held
                agents: {dev: {command: ["sh", "-c", "echo $$ >>%s; exec sleep 300"]}}
                phases: [{name: only, task: dev}]
                """.formatted(pids);
        nodes = new LocalNodes(folder);
    }

    @AfterEach
    void end() {
        nodes.close();
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    private long agent() throws IOException {
        Awaitility.await()
                .until(() -> Files.exists(pids) && Files.readString(pids).endsWith("\n"));
        return Long.parseLong(Files.readString(pids).strip());
    }

    /** The next renewal is more than a minute away. */
    @Test
    void anAppendThatIsRefusedEndsTheProcessesAtOnce() throws IOException {
        LocalNodes.Node first = nodes.start("n1");
        String run = first.submit(manifest, nodes.workspace("a"));
        long agent = agent();
        NodeFigures before = first.ask(NodeChannels.FIGURES, new GetNodeFigures());
        assertThat(before.marginMillis()).isPositive();
        assertThat(before.lostLeases()).isZero();
        nodes.fence("n1");

        // It needs an append; whether and how it is answered then is not checked here.
        Future<RunAnswer> stop = RunChannels.STOP.ask(
                first.vertx().eventBus(), new StopRun(run, Optional.empty(), false), Duration.ofMinutes(1));

        Awaitility.await().until(() -> !isAlive(agent));
        Awaitility.await()
                .untilAsserted(() -> assertThat(nodes.database.ask(LEASE)).containsExactly("2 live"));
        assertThat(first.ask(NodeChannels.FIGURES, new GetNodeFigures()).lostLeases())
                .isEqualTo(1);
        RunAnswer unused = await(stop.otherwiseEmpty());
    }
}
