package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.signal;
import static dev.loopkeeper.rules.StepEnd.silent;
import static dev.loopkeeper.termination.ResumeAction.CONTINUE;
import static dev.loopkeeper.termination.ResumeAction.RETRY_ITERATION;
import static dev.loopkeeper.termination.ResumeAction.STOP_LOOP_NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.agent.AgentOutput;
import dev.loopkeeper.agent.ExitFacts;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.run.IterationFinished;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.step.StepSummary;
import dev.loopkeeper.run.step.Verdict;
import dev.loopkeeper.step.ErrorCategory;
import dev.loopkeeper.step.ErrorRules;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepReport;
import dev.loopkeeper.step.StepResult;
import dev.loopkeeper.step.StepStatus;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.verdict.SignalDetail;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class MissingSignalsTest {
    private static RunKit paused(SignalDetail detail) {
        return RunKit.started(Manifests.loop("maxIterations: 5"))
                .ends("dev", exit(0))
                .ends("judge", silent(detail));
    }

    @ParameterizedTest
    @EnumSource(SignalDetail.class)
    void aSignalThatDoesNotCountPausesWithItsDetail(SignalDetail detail) {
        RunKit run = paused(detail);

        assertThat(run.paused().reason()).isEqualTo(PauseReason.MISSING_SIGNALS);
        assertThat(run.paused().detail()).contains(detail.wire());
        assertThat(run.paused().stepId()).contains("build.1.judge.1");
        assertThat(run.paused().allowedActions()).containsExactly(RETRY_ITERATION, CONTINUE, STOP_LOOP_NOW);
        assertThat(run.lastEvent(StepFinished.class).result().status()).isEqualTo(StepStatus.ERROR);
    }

    @Test
    void anAgentThatEndedWithItsRuntimePausesAsWithoutASignal() {
        String known = "the runtime died and agent \"dev\" was ended with it";
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 5"))
                .ends("dev", StepEnd.by(ExitCause.RUNTIME_DIED).knowing(known));
        StepResult result = run.lastEvent(StepFinished.class).result();

        assertThat(run.paused().message()).startsWith("dev: " + known);
        assertThat(run.paused().detail()).contains("absent");
        assertThat(result.termination()).isEqualTo("error_crashed");
        assertThat(result.errorContext().orElseThrow().category()).isEqualTo(ErrorCategory.ABORTED);
        assertThat(result.errorContext().orElseThrow().message()).isEqualTo(known);
    }

    @Test
    void aStepThatVanishedWithoutARecordPausesLikeAnAbsentSignal() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 5")).ends("dev", StepEnd.by(ExitCause.VANISHED));

        assertThat(run.paused().detail()).contains("absent");
        assertThat(run.lastEvent(StepFinished.class).result().termination()).isEqualTo("error_crashed");
    }

    @Test
    void anUndeclaredTerminalReasonIsInvalid() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 5"))
                .ends("dev", exit(0))
                .ends("judge", signal("terminal: {reasonCode: moon-phase, summary: full}"));

        assertThat(run.paused().detail()).contains("schema_invalid");
        assertThat(run.paused().message()).contains("moon-phase");
    }

    /** It was reported as completed, and overcame what had ended the run before. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aStepWithAnUndeclaredTerminalReasonFails(int exitCode) {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 5"))
                .ends("dev", exit(0))
                .ends("judge", signal("terminal: {reasonCode: halted, summary: enough}"))
                .resume(Resume.plain().acknowledge())
                .ends(
                        "judge",
                        exit(exitCode)
                                .reading(signal("terminal: {reasonCode: moon-phase}, usage: {turns: 3}")
                                        .reading()));

        StepResult result = run.history().stream()
                .filter(StepFinished.class::isInstance)
                .map(event -> ((StepFinished) event).result())
                .reduce((first, second) -> second)
                .orElseThrow();
        assertThat(result.status()).isEqualTo(StepStatus.ERROR);
        assertThat(result.termination())
                .isEqualTo(exitCode == 0 ? "error_schema_validation" : "error_during_execution");
        assertThat(result.errorContext().orElseThrow().message()).contains("moon-phase");
        assertThat(result.usage().orElseThrow().turns()).hasValue(3);
        assertThat(run.paused().reason()).isEqualTo(PauseReason.MISSING_SIGNALS);
        assertThat(run.state().ledger().exhaustion()).isPresent();
    }

    @Test
    void retryIterationRunsTheSameNumberAgainAndKeepsWhatWas() {
        RunKit run =
                paused(SignalDetail.ABSENT).resume(Resume.with(RETRY_ITERATION).feedback("leave a signal"));

        assertThat(run.open()).containsExactly("build.1.dev.2");
        assertThat(run.launched().feedback()).isEqualTo("leave a signal");
        assertThat(run.launched().identity().iteration()).contains(1);
        assertThat(run.state().ledger().rolledBack()).singleElement().satisfies(old -> {
            assertThat(old.number()).isEqualTo(1);
            assertThat(old.notes()).extracting(StepSummary::agent).containsExactly("dev");
        });
        run.ends("dev", exit(0)).ends("judge", signal("determination: SUCCESS"));
        assertThat(run.state().ledger().statistics().ended().itemsRetried()).isEqualTo(1);
        assertThat(run.state().ledger().statistics().totalAttempts()).isEqualTo((int) run.count("step.started"));
    }

    @Test
    void continueAcceptsTheMissingSignal() {
        RunKit run = paused(SignalDetail.EMPTY).resume(Resume.with(CONTINUE));

        assertThat(run.open()).containsExactly("build.2.dev.1");
        assertThat(run.history())
                .filteredOn(IterationFinished.class::isInstance)
                .singleElement()
                .extracting(event -> ((IterationFinished) event).result().verdict())
                .isEqualTo(Verdict.PROGRESS);
    }

    @Test
    void continueBehindASilentTaskAcceptsTheTask() {
        RunKit run = RunKit.started(
                        Manifests.phases("{name: plan, task: architect}", Manifests.loopPhase("maxIterations: 1")))
                .ends("architect", silent(SignalDetail.MALFORMED))
                .resume(Resume.with(CONTINUE));

        assertThat(run.open()).containsExactly("build.1.dev.1");
    }

    @Test
    void continueBehindASilentGateEvaluatesItAgain() {
        RunKit run = RunKit.started(Manifests.phases("{name: verify, gate: audit}"))
                .ends("audit", silent(SignalDetail.ABSENT))
                .resume(Resume.with(CONTINUE));

        assertThat(run.open()).containsExactly("verify.audit.2");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {name: plan, task: architect}                        | plan.architect.2
            {name: verify, gate: audit}                          | verify.audit.2
            {name: build, loop: {steps: [audit]}}                | build.1.audit.2
            {name: each, each: {steps: [audit], items: [{id: a}]}} | each.a.audit.1-2
            """)
    void aBareResumeTriesTheSameAgain(String phase, String launched) {
        RunKit run = RunKit.started(Manifests.phases(phase));
        run.ends(run.open().get(0), silent(SignalDetail.ABSENT)).resume(Resume.plain());

        assertThat(run.open()).containsExactly(launched);
        assertThat(run.lastEvent(RunResumed.class).action()).isEqualTo(RETRY_ITERATION);
    }

    @Test
    void aSilentGateMayBeWaivedByItsName() {
        RunKit run = RunKit.started(Manifests.phases("{name: verify, gate: audit}"))
                .ends("audit", silent(SignalDetail.ABSENT))
                .resume(Resume.plain().waive("verify"));

        assertThat(run.subtype()).isEqualTo("stop");
    }

    @Test
    void stopLoopNowEndsAsAnOperatorsStop() {
        RunKit run = paused(SignalDetail.STALE).resume(Resume.with(STOP_LOOP_NOW));

        assertThat(run.subtype()).isEqualTo("error_operator_stop");
    }

    @Test
    void aSilentStepOfAnItemIsLaunchedAgainInTheSameAttempt() {
        RunKit run = RunKit.started(Manifests.each("{id: f1}", "maxAttempts: 2"))
                .ends("dev", exit(0))
                .ends("audit", silent(SignalDetail.ABSENT))
                .resume(Resume.with(RETRY_ITERATION));

        assertThat(run.open()).containsExactly("frames.f1.dev.1-2");
        assertThat(run.state().ledger().statistics().totalAttempts()).isEqualTo(3);
    }

    @Test
    void aRequestedStepMayBeSilent() {
        RunKit run = RunKit.started(Manifests.phases(
                        "{name: build, loop: {steps: [dev, {agent: reflection, when: requested}], until: iterations,"
                                + " maxIterations: 1}}"))
                .ends("dev", exit(0))
                .ends("reflection", silent(SignalDetail.ABSENT));

        assertThat(run.subtype()).isEqualTo("stop");
    }

    @Test
    void aKilledStepWithoutItsRequiredSignalPauses() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 5"))
                .ends("dev", exit(0))
                .ends("judge", silent(SignalDetail.ABSENT).causedBy(ExitCause.KILLED));

        assertThat(run.paused().reason()).isEqualTo(PauseReason.MISSING_SIGNALS);
        assertThat(run.lastEvent(StepFinished.class).result().status()).isEqualTo(StepStatus.CANCELLED);
        assertThat(run.lastEvent(StepFinished.class)
                        .result()
                        .errorContext()
                        .orElseThrow()
                        .kind())
                .isEqualTo("aborted");
    }

    /** A death by a signal and a last command that cannot be run were terminations beside status completed. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 126, 127, 130, 137, 139, 143})
    void withAValidSignalTheExitCodeIsOnlyRecorded(int code) {
        StepReport report = AgentOutput.reader(OutputDialect.TEXT, ErrorRules.builtIn())
                .finish(
                        new ExitFacts(OptionalInt.of(code), Optional.empty(), Optional.empty()),
                        Instant.EPOCH,
                        ZoneOffset.UTC)
                .summary();
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 5"))
                .ends("dev", exit(0))
                .ends("judge", signal("determination: SUCCESS").withExit(code).reporting(report));
        StepResult result = run.lastEvent(StepFinished.class).result();

        assertThat(result.status()).isEqualTo(StepStatus.COMPLETED);
        assertThat(result.exitCode()).hasValue(code);
        assertThat(result.termination()).isEqualTo("stop");
        assertThat(result.errorContext()).isEmpty();
        assertThat(run.subtype()).isEqualTo("stop");
    }
}
