package dev.loopkeeper.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several nodes, one of which sends the notifications. */
class NotificationDutyTest {
    private static final String HOLDER = "SELECT coalesce(node, '-') FROM duties WHERE duty = 'notifications'";

    @TempDir
    private Path folder;

    private LocalNodes nodes;
    private Path lines;
    private String manifest;

    /** A command is run once, however long it takes. */
    @BeforeEach
    void prepare() {
        lines = folder.resolve("notified");
        manifest = """
                name: notified
                agents: {dev: {command: ["true"]}}
                phases: [{name: only, task: dev}]
                notify: [{command: 'echo {{runId}} {{type}} >>%s', events: [run.created, run.ended]}]
                """.formatted(lines);
        nodes = new LocalNodes(folder);
    }

    @AfterEach
    void end() {
        nodes.close();
    }

    /** Run and type of what came in, in order. */
    private List<String> delivered() throws IOException {
        return Files.exists(lines) ? Files.readAllLines(lines) : List.of();
    }

    private void awaitHolder(String name) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(nodes.database.ask(HOLDER)).containsExactly(name));
    }

    private void awaitDelivered(List<String> runIds) {
        List<String> all = runIds.stream()
                .flatMap(run -> List.of(run + " run.created", run + " run.ended").stream())
                .toList();
        Awaitility.await().until(() -> delivered().containsAll(all));
    }

    @Test
    void oneNodeNotifiesOfEachEvent() throws IOException {
        LocalNodes.Node first = nodes.start("n1");
        awaitHolder("n1");
        LocalNodes.Node second = nodes.start("n2");
        List<String> runs = List.of(
                first.submit(manifest, nodes.workspace("a")),
                second.submit(manifest, nodes.workspace("b")),
                second.submit(manifest, nodes.workspace("c")));

        awaitDelivered(runs);
        assertThat(delivered()).as("no event twice").doesNotHaveDuplicates().hasSize(2 * runs.size());
    }

    @Test
    void anotherNodeContinuesWhereOneHasEnded() throws IOException {
        LocalNodes.Node first = nodes.start("n1");
        awaitHolder("n1");
        LocalNodes.Node second = nodes.start("n2");
        String before = second.submit(manifest, nodes.workspace("a"));
        awaitDelivered(List.of(before));
        first.end();
        String after = second.submit(manifest, nodes.workspace("b"));

        awaitDelivered(List.of(before, after));
        awaitHolder("n2");
        assertThat(delivered()).as("no event twice").doesNotHaveDuplicates();
    }

    /** It has not noticed yet: what it does beside the other changes nothing, and what it has on its way may come twice. */
    @Test
    void anotherNodeContinuesWhereOneHasLostItsLease() throws IOException {
        LocalNodes.Node first = nodes.start("n1");
        awaitHolder("n1");
        LocalNodes.Node second = nodes.start("n2");
        nodes.fence(first.name());
        awaitHolder("n2");
        String run = second.submit(manifest, nodes.workspace("a"));

        awaitDelivered(List.of(run));
        assertThat(delivered())
                .as("the former holder may not even note that it owes")
                .doesNotHaveDuplicates();
    }
}
