package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.run.ResumeRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A prompt that a person changes while the run continues. */
class EditedPromptTest {
    private static final String TWO_ITERATIONS = """
            name: two
            vars: {shot: 7}
            agents:
              dev: {command: "cat >> told.txt; if [ ! -e once ]; then touch once; echo 'Mind {{vars.shoot}}' >> dev.md; fi",
                prompt: dev.md, context: none}
            phases: [{name: build, loop: {steps: [dev], maxIterations: 2}}]
            """;

    @TempDir
    private Path folder;

    /** The agent was launched with nothing where the name stands. */
    @Test
    void anUnknownNamePausesTheRunUntilItIsCorrected() throws IOException {
        try (Keeper keeper = new Keeper(folder.resolve("data"), folder.resolve("workspace"))) {
            Path prompt = keeper.workspace().resolve("dev.md");
            Files.writeString(prompt, "Shot {{vars.shot}}, {{iteration}}\n");
            String runId = keeper.start(TWO_ITERATIONS);

            JsonNode paused = keeper.until(runId, "paused", "completed", "failed");

            assertThat(paused.at("/pause/reason").asText()).isEqualTo("anomaly");
            assertThat(paused.at("/pause/message").asText())
                    .contains(prompt.toString(), "line 2", "{{vars.shoot}}", "{{vars.shot}}");
            assertThat(paused.at("/pause/errorContext/category").asText()).isEqualTo("session-failed");

            Files.writeString(prompt, "Take {{vars.shot}}, {{iteration}}\n");
            assertThat(keeper.resume(runId, ResumeRequest.PLAIN).refusal()).isEmpty();
            keeper.until(runId, "completed");

            assertThat(keeper.workspace().resolve("told.txt")).hasContent("Shot 7, 1\nTake 7, 2\n");
        }
    }
}
