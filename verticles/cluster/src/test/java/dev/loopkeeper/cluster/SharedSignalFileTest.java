package dev.loopkeeper.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StartRun;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.Requester;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.store.StoreSamples;
import dev.loopkeeper.termination.RefusalCode;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs of two nodes whose agents leave their signals in the same file. */
class SharedSignalFileTest {
    private static final Duration SOON = Duration.ofMinutes(1);
    /** Writes its signal as soon as there is a file {@code go}. */
    private static final String MANIFEST = """
            {"name": "patient", "phases": [{"name": "only", "task": "dev"}],
             "agents": {"dev": {"signal": "%s", "command": ["sh", "-c", "i=0; until [ -e go -o $i = 2400 ]; \
            do i=$((i+1)); sleep 0.05; done; echo '{\\"status\\":\\"completed\\"}' > $LOOPKEEPER_SIGNAL_FILE"]}}}
            """;

    private static final String ONE = MANIFEST.formatted(".loopkeeper/dev.json");

    private static final String SILENT = """
            {"name": "silent", "phases": [{"name": "only", "task": "dev"}],
             "agents": {"dev": {"signal": ".loopkeeper/dev.json", "command": ["true"]}}}
            """;

    @TempDir
    private Path folder;

    private static RunAnswer start(LocalNodes.Node node, String manifest, Path workspace) throws IOException {
        JsonNode document = Json.MAPPER.readTree(manifest);
        return node.ask(
                RunChannels.START,
                new StartRun(
                        Optional.empty(),
                        document,
                        workspace.toString(),
                        workspace.toString(),
                        true,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Requester.LOCAL,
                        Optional.empty()));
    }

    private static void refused(RunAnswer answer, String holder) {
        assertThat(answer.refusal()).hasValueSatisfying(refusal -> {
            assertThat(refusal.code()).isEqualTo(RefusalCode.SIGNAL_IN_USE);
            assertThat(refusal.message()).contains(holder);
        });
    }

    private static void comesTo(LocalNodes nodes, String runId, String status) {
        await(runId + " is " + status).atMost(SOON).until(() -> status(nodes, runId), status::equals);
    }

    private static String status(LocalNodes nodes, String runId) {
        return nodes.database
                .ask("SELECT status FROM runs WHERE run_id = '" + runId + "'")
                .get(0);
    }

    @Test
    void aRunOfAnotherNodeIsRefusedUntilTheFirstHasEnded() throws IOException {
        try (LocalNodes nodes = new LocalNodes(folder.toRealPath())) {
            LocalNodes.Node one = nodes.start("n1");
            LocalNodes.Node two = nodes.start("n2");
            Path workspace = nodes.workspace("work");
            Path link = Files.createSymbolicLink(nodes.root.resolve("link"), workspace);
            String first = one.submit(ONE, workspace);

            refused(start(two, ONE, link), first);
            assertThat(start(two, ONE, nodes.workspace("elsewhere")).refusal()).isEmpty();
            assertThat(start(two, MANIFEST.formatted(".loopkeeper/{{runId}}.json"), workspace)
                            .refusal())
                    .isEmpty();

            Files.createFile(workspace.resolve("go"));
            comesTo(nodes, first, "completed");
            assertThat(start(two, ONE, link).refusal()).isEmpty();
        }
    }

    @Test
    void aResumeOnAnotherNodeIsRefusedWhileTheFileIsInUse() throws IOException {
        try (LocalNodes nodes = new LocalNodes(folder.toRealPath())) {
            LocalNodes.Node one = nodes.start("n1");
            LocalNodes.Node two = nodes.start("n2");
            Path workspace = nodes.workspace("work");
            String silent = two.submit(SILENT, workspace);
            comesTo(nodes, silent, "paused");
            String first = one.submit(ONE, workspace);

            refused(two.ask(RunChannels.RESUME, new ResumeRun(silent, ResumeRequest.PLAIN)), first);
            Files.createFile(workspace.resolve("go"));
            comesTo(nodes, first, "completed");
            assertThat(two.ask(RunChannels.RESUME, new ResumeRun(silent, ResumeRequest.PLAIN))
                            .refusal())
                    .isEmpty();
        }
    }

    @Test
    void aQueuedRunWaitsForTheFileAndLeavesTheSlotToOthers() throws IOException {
        try (LocalNodes nodes = new LocalNodes(folder.toRealPath())) {
            LocalNodes.Node one = nodes.start("n1", 1, data -> List.of());
            LocalNodes.Node two = nodes.start("n2", 1, data -> List.of());
            Path workspace = nodes.workspace("work");
            String first = one.submit(ONE, workspace);
            String before = two.submit(ONE, nodes.workspace("before"));
            String blocked = two.submit(ONE, workspace);
            String after = two.submit(ONE, nodes.workspace("after"));
            comesTo(nodes, blocked, "queued");

            Files.createFile(nodes.workspace("before").resolve("go"));
            comesTo(nodes, before, "completed");
            comesTo(nodes, after, "running");
            assertThat(status(nodes, blocked)).isEqualTo("queued");
            Files.createFile(nodes.workspace("after").resolve("go"));
            comesTo(nodes, after, "completed");
            assertThat(status(nodes, blocked)).isEqualTo("queued");

            Files.createFile(workspace.resolve("go"));
            comesTo(nodes, first, "completed");
            comesTo(nodes, blocked, "completed");
        }
    }

    /** A client that sends a request again while it is being executed must not be notified of an unavailable store. */
    @Test
    void oneRequestSentToEachNodeAtOnceIsOneRun() throws IOException {
        try (LocalNodes nodes = new LocalNodes(folder.toRealPath())) {
            LocalNodes.Node n1 = nodes.start("n1");
            LocalNodes.Node n2 = nodes.start("n2");
            LocalNodes.Node n3 = nodes.start("n3");
            for (int round = 0; round < 4; round++) {
                String workspace = nodes.workspace("work-" + round).toString();
                Optional<String> key = Optional.of("key-" + round);
                List<Future<RunAnswer>> asked = new ArrayList<>();
                for (LocalNodes.Node node : List.of(n1, n1, n2, n2, n3, n3)) {
                    JsonNode document = Json.MAPPER.readTree(SILENT);
                    StartRun request = new StartRun(
                            Optional.empty(),
                            document,
                            workspace,
                            workspace,
                            true,
                            key,
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Requester.LOCAL,
                            Optional.empty());
                    asked.add(RunChannels.START.ask(node.vertx().eventBus(), request, SOON));
                }

                List<RunAnswer> answers =
                        asked.stream().map(StoreSamples::await).toList();
                assertThat(answers).allMatch(answer -> answer.refusal().isEmpty());
                assertThat(answers.stream()
                                .map(answer -> answer.document()
                                        .orElseThrow()
                                        .path("runId")
                                        .asText())
                                .distinct())
                        .hasSize(1);
                assertThat(answers.stream().filter(RunAnswer::created)).hasSize(1);
            }
        }
    }
}
