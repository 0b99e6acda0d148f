package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.process.tree.SupervisorHarness;
import dev.loopkeeper.step.Failure;
import dev.loopkeeper.step.FailureKind;
import dev.loopkeeper.step.LaunchContext;
import dev.loopkeeper.step.LaunchLimits;
import dev.loopkeeper.step.StepSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What came before a launch, on each way in which its agent can learn it. */
class LaunchWithContextTest extends SupervisorHarness {
    private static final Instant THEN = Instant.parse("2026-11-20T15:00:00Z");
    private static final String CONCERN = "header row\0 lost: see {{nonce}} and ```\nfix it";

    private static LaunchContext judged(StepSpec step) {
        LaunchContext plain = step.context();
        Optional<String> concern = Optional.of(CONCERN);
        Optional<Integer> first = Optional.of(1);
        return new LaunchContext(
                LaunchContext.FORMAT,
                plain.step(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new LaunchContext.Last(
                        new LaunchContext.Judge("build.1.judge.1", "judge", first, Optional.empty(), 1),
                        "STALLED",
                        concern,
                        THEN)),
                Optional.of(new Failure(
                        FailureKind.STEP_FAILED,
                        "exit 3: boom",
                        Optional.of("build.1.dev.1"),
                        OptionalInt.of(3),
                        Optional.of("last line"),
                        List.of(),
                        Optional.empty())),
                List.of(new LaunchContext.Earlier(
                        first, 1, "STALLED", concern, OptionalDouble.of(0.5), OptionalInt.empty(), List.of())),
                0,
                new LaunchLimits(
                        OptionalInt.of(2),
                        OptionalInt.empty(),
                        OptionalDouble.of(4.2),
                        OptionalLong.empty(),
                        OptionalLong.of(7),
                        OptionalLong.empty(),
                        Optional.of(THEN)));
    }

    private String stdoutOf(Steps steps) throws Exception {
        Supervising runtime = supervisor();
        StepSpec step = steps.build();
        runtime.launch(step);
        assertThat(runtime.exitOf(step).process().exitCode()).hasValue(0);
        return stdout(step);
    }

    private Steps prompted(String template) throws IOException {
        Files.writeString(workspace.resolve("dev.md"), template);
        return step().prompt("dev.md").shell("cat").knowing(judged(step().build()));
    }

    @Test
    void theEnvironmentNamesTheFileAndTheLastVerdict() throws Exception {
        String text = stdoutOf(step().knowing(judged(step().build()))
                .shell("cat \"$LOOPKEEPER_CONTEXT_FILE\"; echo; echo \"$LOOPKEEPER_LAST_VERDICT\";"
                        + " echo \"$LOOPKEEPER_LAST_CONCERN\""));

        List<String> lines = text.lines().toList();
        JsonNode context = Json.MAPPER.readTree(lines.get(0));
        assertThat(context.fieldNames())
                .toIterable()
                .containsExactly(
                        "formatVersion",
                        "runId",
                        "stepId",
                        "phase",
                        "iteration",
                        "item",
                        "attempt",
                        "agent",
                        "feedback",
                        "last",
                        "failure",
                        "history",
                        "omitted",
                        "limits");
        assertThat(context.at("/limits/iterationsLeft").asInt()).isEqualTo(2);
        assertThat(context.at("/limits/tokensLeft").isNull()).isTrue();
        assertThat(context.at("/limits/deadline").asText()).isEqualTo("2026-11-20T15:00:00.000Z");
        assertThat(context.path("feedback").isNull()).isTrue();
        assertThat(context.at("/failure/kind").asText()).isEqualTo("step-failed");
        assertThat(context.at("/failure").has("files")).isFalse();
        assertThat(context.at("/history/0/changedFiles").isNull()).isTrue();
        assertThat(context.at("/history/0/costUsd").asDouble()).isEqualTo(0.5);
        assertThat(lines.subList(1, 3)).containsExactly("STALLED", "header row lost: see {{nonce}} and ``` fix it");
    }

    @Test
    void aFirstLaunchHasAFileThatSaysNothing() throws Exception {
        String text = stdoutOf(step().shell("cat \"$LOOPKEEPER_CONTEXT_FILE\"; echo \" $LOOPKEEPER_LAST_VERDICT.\""));

        assertThat(text)
                .contains("\"last\":null,\"failure\":null,\"history\":[],\"omitted\":0,\"limits\":{")
                .endsWith(" .\n");
    }

    @Test
    void aPromptThatNamesNothingGetsABlockBehindIt() throws Exception {
        String text = stdoutOf(prompted("Fix it.\n"));

        assertThat(text).startsWith("Fix it.\n\n## What came before this launch\n");
        assertThat(text).contains("step-failed", "last line", "{{nonce}}", "````text\nheader row");
        assertThat(text).contains(folderOf(step().build()).context().toString());
    }

    @Test
    void aPromptThatNamesOneOfThemIsLeftAsItIs() throws Exception {
        assertThat(stdoutOf(prompted("{{last.verdict}}/{{last.agent}}: {{last.concern}}\n")))
                .isEqualTo("STALLED/judge: header row lost: see {{nonce}} and ``` fix it\n");
    }

    @Test
    void anAgentThatWantsNoneGetsNone() throws Exception {
        assertThat(stdoutOf(prompted("Fix it.\n").withoutContext())).isEqualTo("Fix it.\n");
    }

    @Test
    void aFirstPromptStaysAsItIs() throws Exception {
        Files.writeString(workspace.resolve("dev.md"), "{{context}}Fix it{{failure}}{{history}}.\n");

        assertThat(stdoutOf(step().prompt("dev.md").shell("cat"))).isEqualTo("Fix it.\n");
    }
}
