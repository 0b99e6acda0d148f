package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.signal;
import static dev.loopkeeper.rules.StepEnd.silent;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.checkpoint.StateJson;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepReport;
import dev.loopkeeper.step.StepStatus;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.verdict.SignalDetail;
import dev.loopkeeper.verdict.SignalReading;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A person decides by what a pause says, without a look into any file. */
class PauseMessageTest {
    private static final String REGRESSION =
            "keyConcern: \"tests were deleted\\n in test_auth.py\", anomalyType: regression";

    private static RunKit loop(String fields) {
        return RunKit.started(Manifests.loop(fields)).ends("dev", exit(0));
    }

    private static StepEnd failing(int code, String words) {
        StepReport plain = StepReport.plain("error_during_execution", Optional.empty());
        return exit(code).reporting(plain.withDiagnostic(Optional.of("exit " + code + ": " + words)));
    }

    @Test
    void theQuestionStandsBeforeTheConcern() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 5"))
                .ends("dev", exit(0))
                .ends(
                        "judge",
                        signal(
                                "status: partial, userInputNeeded: true, questions: [\"Which port?\"], keyConcern: slow"));

        assertThat(run.paused().message()).startsWith("judge: Which port?").contains("slow");
    }

    @Test
    void anAnomalyIsReportedInTheAgentsWords() {
        RunKit run = loop("maxIterations: 5")
                .ends("judge", signal("determination: ANOMALY, gaps: [the old tests], " + REGRESSION));

        assertThat(run.paused().message()).isEqualTo("judge: tests were deleted in test_auth.py (regression)");
        assertThat(run.paused().keyConcern()).contains("tests were deleted\n in test_auth.py");
        assertThat(run.paused().anomalyType()).contains("regression");
        assertThat(run.paused().gaps()).containsExactly("the old tests");
        assertThat(run.paused().stepId()).contains("build.1.judge.1");
        assertThat(run.lastEvent(RunPaused.class).text())
                .isEqualTo("paused, anomaly: judge: tests were deleted in test_auth.py (regression)");
    }

    @Test
    void theFeedTheRunObjectAndASnapshotHaveThePartsBesideTheMessage() {
        RunKit run = loop("maxIterations: 5")
                .ends("judge", signal("determination: ANOMALY, questions: ['why?'], " + REGRESSION));
        JsonNode reported = EventJson.write(run.lastEvent(RunPaused.class)).path("pause");
        JsonNode shown = ViewJson.write(RunView.of(run.state())).path("pause");

        for (JsonNode pause : new JsonNode[] {reported, shown}) {
            assertThat(pause.path("keyConcern").asText()).startsWith("tests were deleted");
            assertThat(pause.path("anomalyType").asText()).isEqualTo("regression");
            assertThat(pause.path("questions").get(0).asText()).isEqualTo("why?");
            assertThat(pause.has("finding")).isFalse();
        }
        assertThat(StateJson.read(StateJson.write(run.state()))).isEqualTo(run.state());
    }

    @Test
    void aQuestionIsTheMessage() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 5"))
                .ends(
                        "dev",
                        signal("status: partial, userInputNeeded: true, questions: ['which port?', 'which host?']"));

        assertThat(run.paused().message()).isEqualTo("dev: which port? (and 1 more)");
    }

    @Test
    void aMissingSignalSaysWhyTheStepFailed() {
        RunKit run = loop("maxIterations: 5")
                .ends(
                        "judge",
                        failing(128, "a long trace\nfatal: not a git repository")
                                .reading(new SignalReading.Invalid(
                                        SignalDetail.ABSENT, "the step left no signal file")));

        assertThat(run.paused().message())
                .isEqualTo("judge: the step left no signal file; exit 128: fatal: not a git repository; expected file:"
                        + " judge.json");
        assertThat(run.paused().errorContext().map(ErrorContext::kind)).contains("unclassified");
    }

    @Test
    void aMissingSignalNamesTheFileThatTheStepShouldHaveWritten() {
        String agents = "name: demo\nagents: {judge: {command: [judge], signal: 'signals/{{ runId }}.json'}}\n";
        SignalReading absent = new SignalReading.Invalid(SignalDetail.ABSENT, "the step left no signal file");
        RunKit loop = RunKit.started(agents + "phases: [{name: build, loop: {steps: [judge], maxIterations: 1}}]");
        RunKit items = RunKit.started(agents + "phases: [{name: build, each: {steps: [judge], concurrency: 2,"
                + " items: [{id: f1}, {id: f2}]}}]");

        assertThat(loop.ends("build.1.judge.1", exit(0).reading(absent))
                        .paused()
                        .message())
                .endsWith("; expected file: signals/run-1.json");
        items.ends("build.f1.judge.1", exit(0).reading(absent)).ends("build.f2.judge.1", exit(0).reading(absent));
        assertThat(items.paused().message()).endsWith("; expected file: signals/run-1.f1.json");
    }

    @Test
    void aHandlerWritesNoFileThatCouldBeNamed() {
        RunKit run = RunKit.started("name: demo\nagents: {judge: {handler: judge}}\nphases: [{name: a, task: judge}]");

        run.ends("a.judge.1", exit(0).reading(new SignalReading.Invalid(SignalDetail.ABSENT, "no signal")));

        assertThat(run.paused().message()).isEqualTo("judge: no signal");
    }

    @Test
    void aRefusedValueIsAFieldOfThePause() {
        RunKit run = loop("maxIterations: 5")
                .ends(
                        "judge",
                        exit(0).reading(new SignalReading.Invalid(
                                SignalDetail.SCHEMA_INVALID,
                                "verdict must be one of approved, but is 5",
                                Optional.of("5"))));

        assertThat(run.paused().refusedValue()).contains("5");
        assertThat(run.paused().message())
                .isEqualTo("judge: verdict must be one of approved, but is 5; file: judge.json");
    }

    @Test
    void anUnknownReasonCodeIsARefusedValue() {
        RunKit run = loop("maxIterations: 5").ends("judge", signal("terminal: {reasonCode: no-such-thing}"));

        assertThat(run.paused().refusedValue()).contains("\"no-such-thing\"");
    }

    @Test
    void aLoopThatRanOutEndsWithWhatItsJudgeSaidLast() {
        RunKit run = loop("maxIterations: 1")
                .ends("judge", signal("determination: PROGRESS, keyConcern: two tests fail, gaps: [docs]"));

        assertThat(run.ended().summary())
                .isEqualTo("no success in 1 iteration of build; judge: two tests fail; gaps: docs");
    }

    @Test
    void aLoopThatDoesNotMoveEndsWithWhatItsJudgeSaidLast() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 9"));
        StepEnd verdict =
                signal("determination: STALLED, keyConcern: nothing helps").withDigest("same");
        for (int iteration = 0; iteration < 3; iteration++) {
            run.ends("dev", exit(0).withDigest("same")).ends("judge", verdict);
        }

        assertThat(run.ended().reasonCode()).contains("consecutive-mistakes");
        assertThat(run.ended().summary()).endsWith("; judge: nothing helps");
        assertThat(run.ended().alsoTriggered()).contains("no-progress");
    }

    @Test
    void aLoopThatOnlyFailsEndsWithTheLastError() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 9"));
        for (int iteration = 0; iteration < 3; iteration++) {
            run.ends("dev", failing(128, "fatal: not a git repository"));
        }

        assertThat(run.ended().summary()).endsWith("; dev: exit 128: fatal: not a git repository");
        assertThat(run.ended().errorContext().map(ErrorContext::message))
                .contains("exit 128: fatal: not a git repository");
    }

    @ParameterizedTest
    @EnumSource(
            value = ExitCause.class,
            names = {"STOPPED", "KILLED"},
            mode = EnumSource.Mode.EXCLUDE)
    void everyErrorHasAContext(ExitCause cause) {
        RunKit run = loop("maxIterations: 5")
                .ends("judge", silent(SignalDetail.ABSENT).causedBy(cause));

        StepFinished finished = run.lastEvent(StepFinished.class);
        assertThat(finished.result().status()).isEqualTo(StepStatus.ERROR);
        assertThat(finished.result().errorContext()).isPresent();
        assertThat(finished.result().errorContext().orElseThrow().message()).isNotBlank();
    }

    @Test
    void anErrorThatFitsNothingHasItsExitCodeAndLastWords() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 5")).ends("dev", failing(3, "no such module"));

        assertThat(run.lastEvent(StepFinished.class).result().errorContext())
                .contains(ErrorContext.of(ErrorKind.UNCLASSIFIED, "exit 3: no such module"));
    }

    @Test
    void aMessageIsOneLineHoweverMuchIsSaid() {
        RunKit run = loop("maxIterations: 5")
                .ends("judge", signal("determination: ANOMALY, keyConcern: '" + "very long ".repeat(5000) + "'"));

        assertThat(run.paused().reason()).isEqualTo(PauseReason.ANOMALY);
        assertThat(run.paused().message()).hasSize(240).endsWith("…");
        assertThat(run.paused().keyConcern().orElseThrow()).hasSize(50_000);
    }
}
