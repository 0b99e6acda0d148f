package dev.loopkeeper.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.RestingRuns;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.statistics.RunStatistics;
import dev.loopkeeper.step.ErrorCategory;
import dev.loopkeeper.view.Activity;
import dev.loopkeeper.view.Checkpoint;
import dev.loopkeeper.view.Explanation;
import dev.loopkeeper.view.Position;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.Runs;
import dev.loopkeeper.view.Step;
import dev.loopkeeper.view.StepPage;
import dev.loopkeeper.view.TotalUsage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ViewJsonTest {
    private static final Map<String, RunState> STATES = RestingRuns.states();
    private static final Instant AT = Instant.parse("2026-11-20T12:00:00Z");

    private static Stream<String> names() {
        return STATES.keySet().stream();
    }

    private static JsonNode tree(String json) throws JsonProcessingException {
        return Json.MAPPER.readTree(json);
    }

    @ParameterizedTest
    @MethodSource("names")
    void aCheckpointHasItsFieldsInTheOrderInWhichItAlwaysHadThem(String name) throws IOException {
        try (InputStream golden = ViewJsonTest.class.getResourceAsStream(name + ".json")) {
            assertThat(Json.MAPPER
                            .writerWithDefaultPrettyPrinter()
                            .writeValueAsString(CheckpointJson.of(STATES.get(name), Instant.EPOCH)))
                    .isEqualToIgnoringNewLines(new String(golden.readAllBytes(), StandardCharsets.UTF_8).strip());
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void aRunIsReadBackAsItWasWritten(String name) {
        Run run = RunView.of(STATES.get(name));
        ObjectNode json = ViewJson.write(run);

        assertThat(ViewJson.write(ViewJson.run(json))).hasToString(json.toString());
        assertThat(ViewJson.run(json)).isEqualTo(run);
    }

    @ParameterizedTest
    @MethodSource("names")
    void anOutlineSaysWhatTheWholeRunSays(String name) {
        Run run = RunView.of(STATES.get(name));

        assertThat(ViewJson.outline(ViewJson.write(run))).hasValueSatisfying(outline -> {
            assertThat(outline.runId()).isEqualTo(run.runId());
            assertThat(outline.status()).isEqualTo(run.status());
            assertThat(outline.sequence()).isEqualTo(run.sequence());
            assertThat(outline.atRest()).isEqualTo(run.atRest());
            assertThat(outline.waitsForPerson()).isEqualTo(run.pause().isPresent() && run.atRest());
            assertThat(outline.workspace()).isEqualTo(run.workspace());
        });
    }

    /** The dashboard and the terminal sort by it. */
    @Test
    void runsThatContinueOrThatAPersonStoppedNeedNoAttention() {
        Set<String> rest = new TreeSet<>(STATES.keySet());
        rest.removeIf(name -> ViewJson.write(RunView.of(STATES.get(name)))
                .path("needsAttention")
                .asBoolean());

        assertThat(rest)
                .containsExactly("cleared", "completed", "operator-stop", "paused-provider", "submitted", "waiting");
    }

    @Test
    void whatIsDamagedOrUnknownHasNoOutline() throws JsonProcessingException {
        assertThat(ViewJson.outline(tree("{\"runId\": \"demo-1\", \"damage\": \"torn\"}")))
                .isEmpty();
        assertThat(ViewJson.outline(tree("{\"runId\": \"demo-1\", \"status\": \"dreaming\", \"sequence\": 1}")))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("names")
    void aCheckpointIsReadBackAsItWasWritten(String name) {
        ObjectNode json = CheckpointJson.of(STATES.get(name), Instant.EPOCH);
        Checkpoint checkpoint = ViewJson.read(json, Checkpoint.class);

        assertThat(checkpoint.run()).isEqualTo(RunView.of(STATES.get(name)));
        assertThat(ViewJson.write(checkpoint)).hasToString(json.toString());
    }

    @ParameterizedTest
    @MethodSource("names")
    void anExplanationIsReadBackAsItWasWritten(String name) {
        Explanation.Link link = new Explanation.Link(1, AT, "run.created", "created in /work");
        Explanation explanation = RunExplanation.of(STATES.get(name), List.of(link));

        assertThat(ViewJson.read(ViewJson.write(explanation), Explanation.class))
                .isEqualTo(explanation);
    }

    @Test
    void whatAVersionDoesNotKnowIsPassedOver() throws JsonProcessingException {
        ObjectNode json = ViewJson.write(RunView.of(STATES.get("paused-user-input")));
        json.put("mood", "fair");
        ((ObjectNode) json.path("position")).put("lane", 2);
        ((ObjectNode) json.path("pause")).put("urgency", "high");

        assertThat(ViewJson.run(json)).isEqualTo(RunView.of(STATES.get("paused-user-input")));
    }

    @Test
    void whatAnOlderVersionDidNotReportIsAbsent() throws JsonProcessingException {
        Run run = ViewJson.run(
                tree(
                        "{\"runId\": \"r\", \"status\": \"paused\", \"pause\": {\"reason\": \"cadence\", \"message\": \"m\"}}"));

        assertThat(run.status()).isEqualTo(RunStatus.PAUSED);
        assertThat(run.position()).isEqualTo(Position.NOWHERE);
        assertThat(run.usage()).isEqualTo(TotalUsage.UNKNOWN);
        assertThat(run.statistics()).isEqualTo(RunStatistics.NONE);
        assertThat(run.termination()).isEmpty();
        assertThat(run.executions()).isEmpty();
        assertThat(run.terminalExhaustionHistory()).isEmpty();
        assertThat(run.activity()).isEmpty();
        Pause pause = run.pause().orElseThrow();
        assertThat(pause.detail()).isEmpty();
        assertThat(pause.questions()).isEmpty();
        assertThat(pause.allowedActions()).isEmpty();
    }

    @Test
    void aWaitingRunSaysWhatItWaitsFor() {
        Run run = RunView.of(STATES.get("waiting"));

        assertThat(run.pause()).isEmpty();
        assertThat(run.waiting()).hasValueSatisfying(retry -> {
            assertThat(retry.reason()).isEqualTo(ErrorCategory.PROVIDER.wire());
            assertThat(retry.detail()).isEqualTo("overloaded");
            assertThat(retry.message()).isEqualTo("judge: overloaded");
            assertThat(run.resumeAt()).isPresent().isEqualTo(retry.resumeAt());
        });
        assertThat(RunView.of(STATES.get("paused-provider")).waiting()).isEmpty();
    }

    @Test
    void aValueThatOnlyANewerVersionKnowsIsRefusedByName() {
        assertThatThrownBy(() -> ViewJson.run(tree("{\"runId\": \"r\", \"status\": \"hibernating\"}")))
                .isInstanceOf(CheckpointException.class)
                .hasMessageContaining("hibernating");
    }

    @Test
    void anActivityIsReportedWhereThereIsOne() {
        ObjectNode json = ViewJson.write(RunView.of(STATES.get("completed")));
        assertThat(json.get("activity").isNull()).isTrue();

        Activity activity = new Activity("build.3.dev.1", "shell: make test", AT);
        assertThat(ViewJson.run(json.set("activity", Json.MAPPER.valueToTree(activity)))
                        .activity())
                .contains(activity);
        assertThat(ViewJson.run(json.putNull("activity")).activity()).isEmpty();
    }

    @Test
    void aListHasRunsAndThoseWhoseRecordIsDamaged() throws JsonProcessingException {
        ObjectNode json = ViewJson.write(RunView.of(STATES.get("completed")));
        String page = "{\"runs\":[" + json + ",{\"runId\":\"r\",\"damage\":\"torn\"}],\"nextCursor\":null}";
        Runs runs = ViewJson.read(tree(page), Runs.class);

        assertThat(runs.runs().get(0).run()).contains(RunView.of(STATES.get("completed")));
        assertThat(runs.runs().get(0).damage()).isEmpty();
        assertThat(runs.runs().get(1)).isEqualTo(new Runs.Entry("r", Optional.empty(), Optional.of("torn")));
        assertThat(runs.nextCursor()).isEmpty();
        assertThat(ViewJson.write(runs)).hasToString(page);
    }

    @Test
    void anOpenStepSaysWhatIsNotKnownYet() {
        Step step = new Step(
                "build.3.dev.1",
                "r",
                1,
                "build",
                Optional.of(3),
                Optional.empty(),
                "dev",
                Optional.empty(),
                1,
                Step.Status.RUNNING,
                OptionalLong.of(7),
                AT,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        StepPage steps = new StepPage(List.of(step), Optional.empty());

        assertThat(ViewJson.write(steps))
                .hasToString("{\"steps\":[{\"stepId\":\"build.3.dev.1\",\"runId\":\"r\",\"execution\":1,"
                        + "\"phase\":\"build\",\"iteration\":3,\"item\":null,\"agent\":\"dev\",\"attempt\":1,"
                        + "\"status\":\"running\",\"pid\":7,\"startedAt\":\"2026-11-20T12:00:00.000Z\","
                        + "\"endedAt\":null,\"result\":null,\"verdict\":null,\"concern\":null}],\"nextCursor\":null}");
        assertThat(ViewJson.read(ViewJson.write(steps), StepPage.class)).isEqualTo(steps);
    }
}
