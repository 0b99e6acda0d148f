package dev.loopkeeper.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.read.ManifestReader;
import dev.loopkeeper.manifest.read.ManifestReading;
import dev.loopkeeper.run.ChangedManifest;
import dev.loopkeeper.run.ResumeRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A resume that brings a changed manifest is sent to a node that does not own the run. */
@Execution(ExecutionMode.CONCURRENT)
class ResumeElsewhereTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private static String manifest(String loop) {
        return "{\"name\": \"changed\", \"agents\": {\"dev\": {\"command\": \"echo more >> list.txt\"}}, "
                + "\"phases\": [{\"name\": \"build\", \"loop\": {\"steps\": [\"dev\"], " + loop + "}}]}";
    }

    private static void comesTo(LocalNodes nodes, String runId, String status) {
        await(runId + " is " + status)
                .atMost(PATIENCE)
                .until(
                        () -> nodes.database.ask("SELECT status FROM runs WHERE run_id = '" + runId + "'"),
                        found -> found.equals(List.of(status)));
    }

    private static ChangedManifest changed(String text, Path workspace) throws IOException {
        JsonNode document = Json.MAPPER.readTree(text);
        ManifestReading.Valid read = (ManifestReading.Valid) ManifestReader.read(document);
        return new ChangedManifest(document, read.manifest(), workspace.toString(), Optional.empty(), List.of());
    }

    @Test
    void theOwnerResumesWithTheManifestSentToAnotherNode() throws IOException {
        try (LocalNodes nodes = new LocalNodes(folder.toRealPath())) {
            Path workspace = nodes.workspace("work");
            LocalNodes.Node owner = nodes.start("n1");
            LocalNodes.Node other = nodes.start("n2");
            String runId = owner.submit(manifest("\"maxIterations\": 5, \"pauseEvery\": 1"), workspace);
            comesTo(nodes, runId, "paused");

            ChangedManifest changed = changed(manifest("\"maxIterations\": 2"), workspace);
            RunAnswer answer =
                    other.ask(RunChannels.RESUME, new ResumeRun(runId, ResumeRequest.PLAIN.changedManifest(changed)));

            assertThat(answer.refusal()).isEmpty();
            assertThat(answer.document().orElseThrow().path("changes").toString())
                    .contains("phases.build.loop.maxIterations: 5 -> 2");
            comesTo(nodes, runId, "completed");
            assertThat(Files.readAllLines(workspace.resolve("list.txt"))).hasSize(2);
        }
    }
}
