package dev.loopkeeper.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.contract.NodeChannels;
import dev.loopkeeper.contract.NodeChannels.GetNodeFigures;
import dev.loopkeeper.contract.NodeChannels.NodeFigures;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.GetRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What no node watches is counted by each of them. */
class UnattendedTest {
    private static final String MANIFEST = """
            name: held
            agents: {dev: {command: ["true"], signal: never.json}}
            phases: [{name: only, task: dev}]
            """;

    @Test
    void countsRunsOfLostNodesAndUntakenCommands(@TempDir Path folder) throws IOException {
        Path real = folder.toRealPath();
        try (LocalNodes nodes = new LocalNodes(real)) {
            LocalNodes.Node gone = nodes.start("n1");
            LocalNodes.Node other = nodes.start("n2");
            String bound = gone.submit(MANIFEST, Files.createDirectories(real.resolve("apart")));
            await().until(() -> nodes.database.ask("SELECT status FROM runs"), List.of("paused")::equals);
            reports(other, 0, 0);

            gone.end();
            reports(other, 0, 1);
            nodes.database.execute("INSERT INTO requests (run_id, action, body, asked_by) VALUES ('" + bound
                    + "', 'pause', '{}', 'n2')");
            reports(other, 1, 1);
        }
    }

    @Test
    void aRunThatWaitsForItsNodeSaysSo(@TempDir Path folder) throws IOException {
        Path real = folder.toRealPath();
        try (LocalNodes nodes = new LocalNodes(real)) {
            LocalNodes.Node gone = nodes.start("n1");
            LocalNodes.Node other = nodes.start("n2");
            String bound = gone.submit(MANIFEST, Files.createDirectories(real.resolve("apart")));
            await().until(() -> nodes.database.ask("SELECT status FROM runs"), List.of("paused")::equals);
            assertThat(waitsFor(other, bound)).isNull();

            gone.end();
            await().until(
                            () -> nodes.database.ask("SELECT state FROM nodes ORDER BY node"),
                            List.of("left", "live")::equals);
            await().untilAsserted(() -> assertThat(waitsFor(other, bound)).matches("n1, which left \\d+ s ago"));
            nodes.database.execute(
                    "UPDATE nodes SET state = 'fenced', beat_at = now() - interval '200 s' WHERE node = 'n1'");
            assertThat(waitsFor(other, bound)).isEqualTo("n1, silent 3 m");
            nodes.database.execute("UPDATE nodes SET beat_at = now() - interval '3 h' WHERE node = 'n1'");
            assertThat(waitsFor(other, bound)).isEqualTo("n1, silent 3 h");
            nodes.database.execute("UPDATE runs SET placement = 'root:/srv/work'");
            assertThat(waitsFor(other, bound)).isEqualTo("a node that has the shared root /srv/work");
        }
    }

    private static String waitsFor(LocalNodes.Node node, String runId) {
        return node.ask(RunChannels.GET, new GetRun(runId))
                .document()
                .orElseThrow()
                .path("waitsFor")
                .textValue();
    }

    /** Soon: what the database does not say at once is unknown. */
    private static void reports(LocalNodes.Node node, long commands, long runs) {
        await().untilAsserted(() -> {
            NodeFigures figures = node.ask(NodeChannels.FIGURES, new GetNodeFigures());
            assertThat(figures.commandsWaiting()).hasValue(commands);
            assertThat(figures.runsWithoutNode()).hasValue(runs);
        });
    }
}
