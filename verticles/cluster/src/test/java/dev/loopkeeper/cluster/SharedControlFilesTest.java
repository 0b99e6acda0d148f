package dev.loopkeeper.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Control files in workspaces that two nodes see, who both know the runs. */
class SharedControlFilesTest extends TwoNodes {
    private static final int RUNS = 12;
    private static final String SLEEPER = """
            name: sleeper
            agents: {dev: {command: [sleep, "300"]}}
            phases: [{name: only, loop: {steps: [{agent: dev}], maxIterations: 2}}]
            """;

    private static Path order(Path workspace, String runId, String action) throws IOException {
        Path control = Files.createDirectories(workspace.resolve(".loopkeeper/control"));
        Path moved = Files.writeString(control.resolve("." + runId), "{\"action\": \"" + action + "\"}");
        return Files.move(moved, control.resolve(runId + ".json"));
    }

    /** A pause that is requested twice is refused the second time, and the run would say so. */
    @Test
    void executesEachFileOnce() throws IOException {
        List<Path> controls = new ArrayList<>();
        List<Path> workspaces = new ArrayList<>();
        List<String> runs = new ArrayList<>();
        for (int number = 0; number < RUNS; number++) {
            Path workspace = nodes.workspace("w" + number);
            workspaces.add(workspace);
            runs.add(owner.submit(SLEEPER, workspace));
        }
        for (int number = 0; number < RUNS; number++) {
            controls.add(order(workspaces.get(number), runs.get(number), "pause"));
        }

        await("run.pausing");
        for (Path control : controls) {
            Awaitility.await().until(() -> isEmpty(control.getParent()));
        }
        for (int number = 0; number < RUNS; number++) {
            controls.set(number, order(workspaces.get(number), runs.get(number), "stop"));
        }
        await("run.ended");
        assertThat(other.vertx()).isNotSameAs(owner.vertx());
        assertThat(nodes.database.ask("SELECT data FROM events WHERE type = 'notice'"))
                .isEmpty();
        for (Path control : controls) {
            Awaitility.await().until(() -> isEmpty(control.getParent()));
        }
    }

    private void await(String type) {
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(nodes.database.ask("SELECT run_id FROM events WHERE type = '" + type + "'"))
                                .hasSize(RUNS));
    }

    private static boolean isEmpty(Path control) throws IOException {
        try (var names = Files.list(control)) {
            return names.findAny().isEmpty();
        }
    }
}
