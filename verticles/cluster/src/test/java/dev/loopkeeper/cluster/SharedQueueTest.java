package dev.loopkeeper.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that wait for a place: it may be one of another node. */
class SharedQueueTest {
    /** Runs until its workspace says so. */
    private static final String PATIENT = """
            name: patient
            agents: {dev: {command: [sh, -c, "i=0; until [ -e go -o $i = 2400 ]; do i=$((i+1)); sleep 0.05; done"]}}
            phases: [{name: only, task: dev}]
            """;

    @TempDir
    Path folder;

    private Path real;

    @BeforeEach
    void resolve() throws IOException {
        real = folder.toRealPath();
    }

    @Test
    void whatWaitsGoesToANodeWithASlotTheOldestFirst() throws IOException {
        try (LocalNodes nodes = new LocalNodes(real)) {
            LocalNodes.Node one = nodes.start("n1", 1, data -> List.of());
            String first = submit(one, nodes.workspace("first"));
            String second = submit(one, nodes.workspace("second"));
            String third = submit(one, nodes.workspace("third"));
            comesTo(nodes, first, "running n1");
            comesTo(nodes, second, "queued n1");

            nodes.start("n2", 1, data -> List.of());
            comesTo(nodes, second, "running n2");
            assertThat(standing(nodes, third)).isEqualTo("queued n1");

            release(nodes.workspace("second"));
            comesTo(nodes, third, "running n2");
            assertThat(standing(nodes, first)).isEqualTo("running n1");
            release(nodes.workspace("first"));
            release(nodes.workspace("third"));
            comesTo(nodes, first, "completed n1");
            comesTo(nodes, third, "completed n2");
        }
    }

    @Test
    void anImmovableRunWaitsForItsNodeAndDelaysNoOther() throws IOException {
        try (LocalNodes nodes = new LocalNodes(real)) {
            LocalNodes.Node one = nodes.start("n1", 1, data -> List.of());
            Path apart = Files.createDirectories(real.resolve("apart"));
            String first = submit(one, nodes.workspace("first"));
            String bound = submit(one, apart);
            String free = submit(one, nodes.workspace("free"));
            comesTo(nodes, first, "running n1");
            comesTo(nodes, free, "queued n1");

            nodes.start("n2", 1, data -> List.of());
            comesTo(nodes, free, "running n2");
            assertThat(standing(nodes, bound)).isEqualTo("queued n1");
            release(nodes.workspace("first"));
            comesTo(nodes, bound, "running n1");
            release(apart);
            release(nodes.workspace("free"));
            comesTo(nodes, bound, "completed n1");
            comesTo(nodes, free, "completed n2");
        }
    }

    private static String submit(LocalNodes.Node node, Path workspace) {
        return node.submit(PATIENT, workspace);
    }

    private static void release(Path workspace) throws IOException {
        Files.createFile(workspace.resolve("go"));
    }

    private static void comesTo(LocalNodes nodes, String runId, String standing) {
        await(runId + " is " + standing).until(() -> standing(nodes, runId), standing::equals);
    }

    private static String standing(LocalNodes nodes, String runId) {
        return nodes.database
                .ask("SELECT status || ' ' || coalesce(owner, 'nobody') FROM runs WHERE run_id = '" + runId + "'")
                .get(0);
    }
}
