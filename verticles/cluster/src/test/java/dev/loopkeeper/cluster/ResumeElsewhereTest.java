package dev.loopkeeper.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.read.ManifestReader;
import dev.loopkeeper.manifest.read.ManifestReading;
import dev.loopkeeper.run.ChangedManifest;
import dev.loopkeeper.run.Requester;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.termination.RefusalCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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

    /** A plain resume of a queued run may be repeated; the answer to a pause may not. */
    @Test
    void acceptsOneOfTwoAnswersSentToTwoNodes() throws IOException {
        try (LocalNodes nodes = new LocalNodes(folder.toRealPath())) {
            List<LocalNodes.Node> two =
                    List.of(nodes.start("n1", 1, data -> List.of()), nodes.start("n2", 1, data -> List.of()));
            String runId =
                    two.get(0).submit(manifest("\"maxIterations\": 2, \"pauseEvery\": 1"), nodes.workspace("work"));
            comesTo(nodes, runId, "paused");
            List<String> stopped = new ArrayList<>(List.of(runId));
            for (LocalNodes.Node node : two) {
                String busy = "{\"name\": \"busy\", \"agents\": {\"a\": {\"command\": [\"sleep\", \"600\"]}}, "
                        + "\"phases\": [{\"name\": \"a\", \"task\": \"a\"}]}";
                stopped.add(node.submit(busy, nodes.workspace("busy-" + node.name())));
                comesTo(nodes, stopped.get(stopped.size() - 1), "running");
            }
            Instant pausedAt = Instant.parse(two.get(0)
                    .ask(RunChannels.GET, new GetRun(runId))
                    .document()
                    .orElseThrow()
                    .at("/pause/since")
                    .asText());

            List<Optional<RefusalCode>> refused = two.stream()
                    .map(node -> CompletableFuture.supplyAsync(() -> node.ask(
                            RunChannels.RESUME,
                            new ResumeRun(
                                    runId,
                                    ResumeRequest.PLAIN.feedback(node.name()),
                                    Requester.LINK,
                                    Optional.of(pausedAt)))))
                    .toList()
                    .stream()
                    .map(answer -> answer.join().refusal().map(refusal -> refusal.code()))
                    .toList();

            assertThat(refused).containsExactlyInAnyOrder(Optional.empty(), Optional.of(RefusalCode.NOT_RESUMABLE));
            comesTo(nodes, runId, "queued");
            // Their agents would outlive the nodes.
            for (String stopping : stopped) {
                assertThat(two.get(0)
                                .ask(RunChannels.STOP, new StopRun(stopping, Optional.empty(), true))
                                .refusal())
                        .isEmpty();
                comesTo(nodes, stopping, "stopped");
            }
        }
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
