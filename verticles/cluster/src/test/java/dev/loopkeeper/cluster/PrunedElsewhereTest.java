package dev.loopkeeper.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.embed.RunOptions;
import dev.loopkeeper.store.PrunedRuns;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoreChannels.PruneRuns;
import dev.loopkeeper.store.StoreSamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that one node removes and of which others have the files. */
class PrunedElsewhereTest {
    private static final String RUN = "spoken";
    private static final String MANIFEST = """
            name: spoken
            agents: {dev: {command: [echo, hello]}}
            phases: [{name: only, task: dev}]
            """;

    @TempDir
    Path folder;

    private Path real;

    @BeforeEach
    void resolve() throws IOException {
        real = folder.toRealPath();
    }

    @CanIgnoreReturnValue
    private LocalNodes.Node ran(LocalNodes nodes, LocalNodes.Node node) {
        StoreSamples.await(
                node.keeper().submit(MANIFEST, RunOptions.DEFAULTS.runId(RUN).workspace(nodes.workspace("work"))));
        await("the run's end")
                .until(
                        () -> nodes.database.ask(
                                "SELECT 1 FROM runs WHERE status = 'completed' AND run_id = '" + RUN + "'"),
                        found -> !found.isEmpty());
        return node;
    }

    private static void prune(LocalNodes.Node node) {
        PrunedRuns pruned = node.ask(
                StoreChannels.PRUNE,
                new PruneRuns(Instant.now().plus(1, ChronoUnit.DAYS), 0, Optional.empty(), false, false));
        assertThat(pruned.runs()).extracting(PrunedRuns.PrunedRun::runId).containsExactly(RUN);
    }

    private static Path files(LocalNodes.Node node) {
        return node.data().resolve("runs").resolve(RUN);
    }

    private static void hasForgotten(LocalNodes nodes) {
        await("what is owed")
                .until(() -> nodes.database.ask("SELECT node FROM removals"), pending -> pending.isEmpty());
    }

    @Test
    void theNodeThatHasTheFilesRemovesThemWhenItLooks() {
        try (LocalNodes nodes = new LocalNodes(real)) {
            LocalNodes.Node one = ran(nodes, nodes.start("n1"));
            LocalNodes.Node two = nodes.start("n2");
            one.end();
            assertThat(files(one)).isDirectory();

            prune(two);
            assertThat(nodes.database.ask("SELECT node || ' ' || run_id FROM removals"))
                    .containsExactly("n1 " + RUN);
            assertThat(files(one)).as("of a node that is not there").isDirectory();

            nodes.start("n1");
            hasForgotten(nodes);
            assertThat(files(one)).doesNotExist();
        }
    }

    @Test
    void oneThatIsThereAgainKeepsItsFiles() {
        try (LocalNodes nodes = new LocalNodes(real)) {
            LocalNodes.Node one = ran(nodes, nodes.start("n1"));
            LocalNodes.Node two = nodes.start("n2");
            one.end();
            prune(two);
            ran(nodes, two);

            nodes.start("n1");
            hasForgotten(nodes);
            assertThat(files(one)).isDirectory();
            assertThat(files(two)).isDirectory();
        }
    }

    @Test
    void whatIsNoRunIsLeftAloneAndKeepsNoOther() throws IOException {
        Path victim = Files.createDirectories(real.resolve("victim"));
        try (LocalNodes nodes = new LocalNodes(real)) {
            LocalNodes.Node one = ran(nodes, nodes.start("n1"));
            LocalNodes.Node two = nodes.start("n2");
            one.end();
            nodes.database.execute(
                    "INSERT INTO removals (node, run_id, view) VALUES ('n1', '../../victim', 'damaged')");
            prune(two);

            nodes.start("n1");
            await("only what is none")
                    .until(() -> nodes.database.ask("SELECT run_id FROM removals"), pending -> pending.size() == 1);
            assertThat(files(one)).doesNotExist();
            assertThat(victim).isDirectory();
        }
    }
}
