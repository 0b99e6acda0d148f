package dev.loopkeeper.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.AskChannels;
import dev.loopkeeper.contract.AskChannels.AnswerAsk;
import dev.loopkeeper.contract.AskChannels.AskPerson;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.termination.RefusalCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Questions of a step are asked and answered through nodes that do not own the run. */
@Execution(ExecutionMode.CONCURRENT)
class AskElsewhereTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private static JsonNode run(LocalNodes.Node node, String runId) {
        return node.ask(RunChannels.GET, new GetRun(runId)).document().orElseThrow();
    }

    @Test
    void ofFiveAnswersOverTwoNodesOneCountsAndTheOthersNameWhoGaveIt() throws IOException {
        try (LocalNodes nodes = new LocalNodes(folder.toRealPath())) {
            List<LocalNodes.Node> two = List.of(nodes.start("n1"), nodes.start("n2"));
            String runId = two.get(0)
                    .submit(
                            "{\"name\": \"asks\", \"agents\": {\"dev\": {\"command\": [\"sleep\", \"600\"]}}, "
                                    + "\"phases\": [{\"name\": \"p\", \"task\": \"dev\"}]}",
                            nodes.workspace("work"));
            await().atMost(PATIENCE)
                    .until(() -> !run(two.get(0), runId).path("openSteps").isEmpty());
            String askId = two.get(1)
                    .ask(AskChannels.ASK, new AskPerson(runId, "p.dev.1", "key", "Which port?", List.of(), PATIENCE))
                    .document()
                    .orElseThrow()
                    .path("askId")
                    .asText();

            List<RunAnswer> answers = IntStream.range(0, 5)
                    .mapToObj(number -> CompletableFuture.supplyAsync(() -> two.get(number % 2)
                            .ask(AskChannels.ANSWER, new AnswerAsk(runId, askId, "port " + number, "p" + number))))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();

            assertThat(answers).filteredOn(answer -> answer.refusal().isEmpty()).hasSize(1);
            assertThat(answers)
                    .flatExtracting(answer -> answer.refusal().stream().toList())
                    .hasSize(4)
                    .allSatisfy(refusal -> {
                        assertThat(refusal.code()).isEqualTo(RefusalCode.ALREADY_ANSWERED);
                        assertThat(refusal.details().get("by").toString()).matches("p[0-4]");
                    });
            assertThat(run(two.get(1), runId).path("asks")).isEmpty();
            // Its agent would outlive the nodes.
            assertThat(two.get(1)
                            .ask(RunChannels.STOP, new StopRun(runId, Optional.empty(), true))
                            .refusal())
                    .isEmpty();
            await().atMost(PATIENCE)
                    .until(() -> run(two.get(0), runId).path("status").asText().equals("stopped"));
        }
    }
}
