package dev.loopkeeper.cluster;

import static dev.loopkeeper.store.StoreSamples.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.embed.RunFilter;
import dev.loopkeeper.embed.SmallRepository;
import dev.loopkeeper.view.Runs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which nodes may take a run over. */
class RunPlacementTest {
    private static final String ONE = """
            name: one
            agents: {dev: {command: "true"}}
            phases: [{name: only, task: dev}]
            """;

    /** It works in the data folder of its node, wherever its repository lies. */
    @Test
    void aRunWithAWorktreeWaitsForItsNode(@TempDir Path folder) throws IOException {
        try (LocalNodes nodes = new LocalNodes(folder.toRealPath())) {
            LocalNodes.Node node = nodes.start("n1");
            SmallRepository repository = SmallRepository.in(nodes.workspace("repository"));
            String apart = node.submit("isolation: {git: worktree}\n" + ONE, repository.folder());
            String shared = node.submit(ONE, nodes.workspace("plain"));

            assertThat(placement(nodes, apart)).isEqualTo("node:n1");
            assertThat(placement(nodes, shared)).isEqualTo("root:" + nodes.root);
        }
    }

    /** The database counts finer than other clocks here. */
    @Test
    void reportsTheTimeOfOwnershipInMilliseconds(@TempDir Path folder) throws IOException {
        try (LocalNodes nodes = new LocalNodes(folder.toRealPath())) {
            LocalNodes.Node node = nodes.start("n1");
            String runId = node.submit(ONE, nodes.workspace("plain"));
            nodes.database.execute("UPDATE ownership SET since = '2026-01-02T03:04:05.678912Z'");

            Runs listed = await(node.keeper().runs(RunFilter.ALL.limit(1)));
            assertThat(listed.runs().get(0).runId()).isEqualTo(runId);
            assertThat(listed.runs()
                            .get(0)
                            .run()
                            .orElseThrow()
                            .owner()
                            .orElseThrow()
                            .since())
                    .isEqualTo(Instant.parse("2026-01-02T03:04:05.678Z"));
        }
    }

    private static String placement(LocalNodes nodes, String runId) {
        return nodes.database
                .ask("SELECT placement FROM runs WHERE run_id = '" + runId + "'")
                .get(0);
    }
}
