package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.run.ResumeRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signal files from before a run. */
class StaleSignalsTest {
    @TempDir
    private Path folder;

    /** The run was complete by the old file, and its agent never ran. */
    @Test
    void aRunPausesUntilALeftoverSignalCanBeMovedAside() throws IOException {
        Path workspace = Files.createDirectories(folder.toRealPath().resolve("workspace"));
        Path signal = Files.createDirectories(workspace.resolve(".loopkeeper")).resolve("x.json");
        Files.writeString(signal, "{\"determination\":\"SUCCESS\"}");
        Path inTheWay = Files.createDirectories(signal.resolveSibling("x.json.leftover/in the way"));
        try (Keeper keeper = new Keeper(folder.toRealPath().resolve("data"), workspace)) {
            Files.createDirectories(keeper.data().resolve("runs/left/steps/p.1.dev.1/leftover-signal.json/in the way"));
            String runId = keeper.startAs("left", """
                    name: left
                    agents:
                      dev:
                        command: |
                          echo I ran > ran.txt
                          echo '{"determination":"SUCCESS"}' > .loopkeeper/x.json
                        signal: .loopkeeper/x.json
                        timeout: 10s
                    phases: [{name: p, critical: false, loop: {steps: [dev], maxIterations: 2}}]
                    """);

            JsonNode paused = keeper.until(runId, "paused", "completed", "failed");
            assertThat(paused.path("status").asText()).isEqualTo("paused");
            assertThat(paused.at("/pause/reason").asText()).isEqualTo("anomaly");
            assertThat(paused.at("/pause/message").asText())
                    .contains(signal + ", owned by " + Files.getOwner(signal).getName(), "remove the file");
            assertThat(workspace.resolve("ran.txt")).doesNotExist();

            Files.delete(inTheWay);
            var unused = keeper.resume(runId, ResumeRequest.PLAIN);
            keeper.untilEnded(runId);
            assertThat(keeper.get(runId).path("status").asText()).isEqualTo("completed");
            assertThat(workspace.resolve("ran.txt")).exists();
        }
    }
}
