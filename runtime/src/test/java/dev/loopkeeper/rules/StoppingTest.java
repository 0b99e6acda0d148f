package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.provider;
import static dev.loopkeeper.rules.StepEnd.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.checkpoint.RunExplanation;
import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.rules.message.GitFailure;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.StepSwept;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepResult;
import dev.loopkeeper.step.StepStatus;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.StopCause;
import dev.loopkeeper.view.Explanation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoppingTest {
    private static final StepEnd STOPPED = StepEnd.by(ExitCause.STOPPED);
    private static final StepEnd HALTED =
            signal("terminal: {reasonCode: halted, summary: no licence}").causedBy(ExitCause.STOPPED);

    private static RunKit running() {
        return RunKit.started(Manifests.loop("maxIterations: 5"));
    }

    /** A reason of 100 KB stood in every list of runs. */
    @Test
    void theReasonOfAStopOrPauseIsBounded() {
        String reason = "because ".repeat(12_500);
        RunKit stopping = running();
        stopping.feed(new RunInput.Stop(stopping.now(), StopCause.OPERATOR, Optional.of(reason), false));
        RunKit pausing = running();
        pausing.feed(new RunInput.Pause(pausing.now(), Optional.of(reason)));

        assertThat(stopping.ends("dev", STOPPED).ended().summary())
                .hasSizeLessThanOrEqualTo(4_096)
                .endsWith("the rest is cut]");
        assertThat(pausing.state().pauses().get(0).message())
                .hasSizeLessThanOrEqualTo(4_096)
                .endsWith("…");
    }

    @Test
    void aStopEndsWhatRunsBeforeTheExecutionEnds() {
        RunKit run = running().stop();
        assertThat(run.status()).isEqualTo(RunStatus.STOPPING);
        assertThat(run.types()).containsExactly("stop", "run.stopping");
        assertThat(run.commands(RunCommand.StopStep.class))
                .containsExactly(new RunCommand.StopStep("build.1.dev.1", false));

        run.ends("dev", STOPPED);

        assertThat(run.types()).containsExactly("step.finished", "terminal-exhaustion", "run.ended");
        assertThat(run.status()).isEqualTo(RunStatus.STOPPED);
    }

    @Test
    void aSecondStopSkipsTheGrace() {
        RunKit run = running().stop().stop();

        assertThat(run.commands(RunCommand.StopStep.class))
                .containsExactly(new RunCommand.StopStep("build.1.dev.1", true));
        run.ends("dev", STOPPED);
        assertThat(run.count("run.ended")).isEqualTo(1);
        assertThat(run.ended().alsoTriggered()).isEmpty();
    }

    @ParameterizedTest(name = "{0}: {1}, {2}")
    @CsvSource(delimiter = '|', textBlock = """
            operator         | error_operator_stop  | the run was stopped
            signal           | error_interrupted    | the run was stopped
            budget           | error_max_budget_usd | the run was stopped: $10.00 used, the cost cap is $10.00
            budget, operator | error_max_budget_usd | the run was stopped: $10.00 used, the cost cap is $10.00
            operator, budget | error_operator_stop  | the run was stopped
            disk             | error_operator_stop  | the run was stopped: no space left
            """)
    void aStepThatIsEndedSaysWhatEndedIt(String causes, String termination, String message) {
        RunKit run = RunKit.started("budget: {costUsd: 10}\n" + Manifests.loop("maxIterations: 5"));
        for (String cause : causes.split(", ", -1)) {
            switch (cause) {
                case "operator" -> run.stop();
                case "signal" -> run.stop(StopCause.SIGNAL, false);
                case "budget" -> run.uses("dev", StepEnd.cost(10));
                default -> run.feed(new RunInput.Broken(run.now(), "no space left"));
            }
        }
        StepResult result =
                run.ends("dev", STOPPED).lastEvent(StepFinished.class).result();

        assertThat(result.status()).isEqualTo(StepStatus.CANCELLED);
        assertThat(result.termination()).isEqualTo(termination);
        assertThat(result.errorContext().orElseThrow().kind()).isEqualTo("aborted");
        assertThat(result.errorContext().orElseThrow().message()).isEqualTo(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n"})
    void ignoresABlankReason(String blank) {
        RunKit run = running();
        run.feed(new RunInput.Stop(run.now(), StopCause.OPERATOR, Optional.of(blank), false));
        assertThat(RunExplanation.of(run.state(), List.of()).summary()).contains("stopped by an operator");
        assertThat(run.ends("dev", STOPPED).ended().summary()).isEqualTo("stopped by an operator");

        RunKit paused = running();
        paused.feed(new RunInput.Pause(paused.now(), Optional.of(blank)));
        Explanation asked = RunExplanation.of(paused.state(), List.of());
        assertThat(asked.summary())
                .isEqualTo(
                        "running, open steps: build.1.dev.1; pauses when they have ended, pause requested: paused by an"
                                + " operator");
        assertThat(asked.pause()).isPresent();
        assertThat(paused.ends("dev", StepEnd.exit(0)).paused().message()).isEqualTo("paused by an operator");
    }

    @Test
    void aStopIsNoVerdictAndIsExplainedOnce() {
        RunKit run = running().stop().ends("dev", STOPPED);

        assertThat(RunView.of(run.state()).last()).isEmpty();
        assertThat(RunExplanation.of(run.state(), List.of()).summary())
                .isEqualTo("ended, stopped by an operator (error_operator_stop, operator-stop)");
    }

    /** The halt lets its attempt be completed; it is the budget that does not. */
    @Test
    void aStepThatTheBudgetEndsDuringAHaltNamesTheBudget() {
        RunKit run = RunKit.started("budget: {turns: 9}\nretry: {stopConditions: {maxConsecutiveFails: 1}}\n"
                        + Manifests.each("{id: f1}, {id: f2}", "concurrency: 2"))
                .ends("frames.f1.dev.1", exit(1));
        assertThat(run.status()).isEqualTo(RunStatus.STOPPING);
        run.uses(
                        "dev",
                        new Usage(
                                OptionalDouble.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.of(9)))
                .ends("dev", STOPPED);

        assertThat(run.lastEvent(StepFinished.class)
                        .result()
                        .errorContext()
                        .orElseThrow()
                        .message())
                .isEqualTo("the run was stopped: 9 turns used, the turn cap is 9");
        assertThat(run.subtype()).isEqualTo("error_max_budget_usd");
        assertThat(run.ended().alsoTriggered()).containsExactly("CONSECUTIVE_FAILS");
    }

    @Test
    void aStopNamesTheBudgetThatItsLastStepUsedUp() {
        RunKit run = RunKit.started("budget: {costUsd: 5}\n" + Manifests.loop("maxIterations: 5"))
                .stop()
                .ends("dev", STOPPED.costing(9));

        assertThat(run.subtype()).isEqualTo("error_operator_stop");
        assertThat(run.ended().alsoTriggered()).containsExactly("budget-exceeded");
    }

    @Test
    void aStopNamesWhatAStepItCutShortWouldHaveEndedTheRunWith() {
        RunKit run = running().stop().ends("dev", HALTED);

        assertThat(run.subtype()).isEqualTo("error_operator_stop");
        assertThat(run.ended().alsoTriggered()).containsExactly("halted");
    }

    @Test
    void aFatalEndingOfAStepIsTheRunsBeforeTheBudgetThatCutItShort() {
        RunKit run = RunKit.started(
                        "budget: {costUsd: 5}\n" + Manifests.each("{id: f1}, {id: f2}, {id: f3}", "concurrency: 3"))
                .ends("frames.f1.dev.1", exit(0).costing(9))
                .ends("frames.f2.dev.1", HALTED);
        assertThat(run.status()).isEqualTo(RunStatus.STOPPING);

        run.ends("frames.f3.dev.1", STOPPED);

        assertThat(run.subtype()).isEqualTo("error_halted");
        assertThat(run.ended().alsoTriggered()).containsExactly("budget-exceeded");
        assertThat(run.count("run.ended")).isEqualTo(1);
    }

    /** The stop may be why it could not be committed. */
    @Test
    void aCommitThatAStopCutShortIsNoEndingBesideIt() {
        RunKit run = RunKit.started("budget: {costUsd: 5}\n" + Manifests.each("{id: f1}, {id: f2}", "concurrency: 2"))
                .ends("frames.f1.dev.1", exit(0).costing(9))
                .ends("frames.f2.dev.1", STOPPED.uncommitted(new GitFailure("the commit was cut off", false)));

        assertThat(run.subtype()).isEqualTo("error_max_budget_usd");
        assertThat(run.ended().alsoTriggered()).isEmpty();
    }

    @Test
    void aStopWithNowSkipsTheGrace() {
        assertThat(running().stop(StopCause.OPERATOR, true).commands(RunCommand.StopStep.class))
                .containsExactly(new RunCommand.StopStep("build.1.dev.1", true));
    }

    @Test
    void theRuntimesOwnEndIsAnInterruption() {
        RunKit run = running().stop(StopCause.SIGNAL, false).ends("dev", STOPPED);

        assertThat(run.subtype()).isEqualTo("error_interrupted");
        assertThat(run.resume(Resume.plain()).open()).containsExactly("build.1.dev.1-2");
    }

    @Test
    void aStopWhereNothingRunsEndsAtOnce() {
        assertThat(RunKit.queued(Manifests.loop("maxIterations: 1")).stop().subtype())
                .isEqualTo("error_operator_stop");
        assertThat(running().pause().ends("dev", exit(0)).stop().subtype()).isEqualTo("error_operator_stop");
        assertThat(running().ends("dev", provider(OptionalLong.of(99))).stop().subtype())
                .isEqualTo("error_operator_stop");
    }

    @Test
    void aStopOverrulesAHaltThatLetsWhatRunsBeCompleted() {
        RunKit run = RunKit.started("retry: {stopConditions: {maxConsecutiveFails: 1}}\n"
                        + Manifests.each("{id: f1}, {id: f2}", "concurrency: 2, maxAttempts: 2"))
                .ends("frames.f1.dev.1", exit(1))
                .stop();
        assertThat(run.commands(RunCommand.StopStep.class)).hasSize(1);

        run.ends("frames.f2.dev.1", STOPPED);

        assertThat(run.subtype()).isEqualTo("error_operator_stop");
        assertThat(run.ended().alsoTriggered()).containsExactly("CONSECUTIVE_FAILS");
    }

    @Test
    void aStopThatLeavesSurvivorsPausesAndNamesThem() {
        RunKit run = running().stop().ends("dev", STOPPED.leaving("12 sleeper"));

        assertThat(run.paused().reason()).isEqualTo(PauseReason.SURVIVORS);
        assertThat(run.paused().message()).contains("12 sleeper");
        assertThat(run.count("run.ended")).isZero();
    }

    private static RunKit withSurvivors() {
        return running().stop().ends("dev", STOPPED.leaving("12 sleeper", "13 other"));
    }

    @Test
    void aStopInAPauseForSurvivorsTriesAgainBeforeItEnds() {
        RunKit run = withSurvivors().stop();
        assertThat(run.status()).isEqualTo(RunStatus.STOPPING);
        assertThat(run.types()).containsExactly("stop", "run.stopping");
        assertThat(run.commands(RunCommand.Sweep.class))
                .containsExactly(new RunCommand.Sweep(List.of("build.1.dev.1"), false));

        run.timer();
        assertThat(run.types()).as("nothing but the sweep ends it").isEmpty();
        run.swept();

        assertThat(run.types()).containsExactly("step.swept", "terminal-exhaustion", "run.ended");
        assertThat(run.subtype()).isEqualTo("error_operator_stop");
        run.swept();
        assertThat(run.last().late()).isPresent();
    }

    @Test
    void survivorsThatStillWillNotGoPauseItAgainAndAreNamed() {
        RunKit run = withSurvivors().resume(Resume.with(ResumeAction.STOP_LOOP_NOW));
        assertThat(run.commands(RunCommand.Sweep.class)).hasSize(1);
        run.swept("13 other");

        assertThat(run.paused().reason()).isEqualTo(PauseReason.SURVIVORS);
        assertThat(run.paused().message()).contains("13 other").doesNotContain("12 sleeper");
        assertThat(run.count("run.ended")).isZero();
        assertThat(run.stop().swept().subtype()).isEqualTo("error_operator_stop");
        assertThat(run.count("run.ended")).isEqualTo(1);
    }

    /** It was asked again and again, and the stop never came to an end. */
    @Test
    void aFailedSweepEndsTheStopWithTheKnownSurvivors() {
        RunKit run = withSurvivors().stop();
        run.feed(new RunInput.Swept(
                run.now(), List.of(StepSwept.unmade("build.1.dev.1", run.state(), "a reader broke"))));

        assertThat(run.paused().reason()).isEqualTo(PauseReason.SURVIVORS);
        assertThat(run.paused().message()).contains("12 sleeper", "13 other", "a reader broke");
        assertThat(run.count("run.ended")).isZero();

        run.stop();
        run.feed(new RunInput.Swept(
                run.now(), List.of(StepSwept.unmade("build.1.dev.1", run.state(), "it broke again"))));
        assertThat(run.paused().message())
                .contains("12 sleeper", "it broke again")
                .doesNotContain("a reader broke");
        assertThat(run.stop().swept().subtype()).isEqualTo("error_operator_stop");
    }

    private static RunKit sweptRun() {
        return running().ends("dev", exit(0).leaving("12 sleeper")).resume(Resume.plain());
    }

    /** They used to be forgotten, and the stop was reported as done. */
    @Test
    void survivorsThatWereLetLiveOnAreSweptByALaterStop() {
        RunKit run = sweptRun().stop();
        assertThat(run.types()).containsExactly("stop", "run.stopping");

        run.ends("judge", STOPPED);
        assertThat(run.types()).endsWith("run.stopping");
        assertThat(run.commands(RunCommand.Sweep.class))
                .containsExactly(new RunCommand.Sweep(List.of("build.1.dev.1"), false));

        run.crash();
        assertThat(run.commands(RunCommand.Sweep.class)).hasSize(1);
        assertThat(run.swept().subtype()).isEqualTo("error_operator_stop");
        assertThat(run.ended().alsoTriggered()).isEmpty();
    }

    @Test
    void survivorsThatWereLetLiveOnAndStillWillNotGoPauseTheRunAgain() {
        RunKit run = sweptRun().stop().ends("judge", STOPPED).swept("12 sleeper");

        assertThat(run.paused().message()).contains("12 sleeper");
        assertThat(run.count("run.ended")).isZero();
        assertThat(run.stop().swept().subtype()).isEqualTo("error_operator_stop");
    }

    @Test
    void survivorsOfAnUnrequestedEndAreNotSwept() {
        RunKit run = sweptRun().ends("judge", StepEnd.signal("determination: SUCCESS"));

        assertThat(run.subtype()).isEqualTo("stop");
        assertThat(run.commands(RunCommand.Sweep.class)).isEmpty();
    }

    @Test
    void aSecondStopSkipsTheGraceOfTheSweep() {
        assertThat(withSurvivors().stop().stop().commands(RunCommand.Sweep.class))
                .containsExactly(new RunCommand.Sweep(List.of("build.1.dev.1"), true));
    }

    @Test
    void aNewRuntimeSweepsSurvivorsThatAStopWaitsFor() {
        RunKit run = withSurvivors().stop().crash();
        assertThat(run.status()).isEqualTo(RunStatus.STOPPING);
        assertThat(run.commands(RunCommand.Sweep.class)).hasSize(1);
        assertThat(run.swept().subtype()).isEqualTo("error_operator_stop");
    }

    @Test
    void aFullDiskDoesNotEndARunWithSurvivorsEither() {
        RunKit run = withSurvivors();
        run.feed(new RunInput.Broken(run.now(), "no space left on device"));
        assertThat(run.status()).isEqualTo(RunStatus.STOPPING);
        assertThat(run.swept().subtype()).isEqualTo("error_infrastructure");
    }

    @Test
    void theSurvivorsOfEachStepAreSwept() {
        RunKit run = RunKit.started(Manifests.each("{id: f1}, {id: f2}", "concurrency: 2"))
                .stop()
                .ends("frames.f1.dev.1", STOPPED.leaving("12 sleeper"))
                .ends("frames.f2.dev.1", STOPPED.leaving("13 other"))
                .stop();
        assertThat(run.commands(RunCommand.Sweep.class).get(0).stepIds())
                .containsExactlyInAnyOrder("frames.f1.dev.1", "frames.f2.dev.1");
        run.feed(new RunInput.Swept(
                run.now(),
                List.of(
                        new StepSwept("frames.f1.dev.1", 1, List.of(), List.of()),
                        new StepSwept("frames.f2.dev.1", 0, List.of("13 other"), List.of()))));
        assertThat(run.paused().message()).contains("13 other");
        run.stop();
        assertThat(run.commands(RunCommand.Sweep.class).get(0).stepIds()).containsExactly("frames.f2.dev.1");
    }

    @Test
    void anEndedRunIsNeitherStoppedNorPausedNorChanged() {
        RunKit run = running().stop().ends("dev", STOPPED);
        long sequence = run.state().sequence();

        assertThat(run.stop().refused().code()).isEqualTo(RefusalCode.NOT_STOPPABLE);
        assertThat(run.pause().refused().code()).isEqualTo(RefusalCode.NOT_PAUSABLE);
        assertThat(run.timer().last().late()).isPresent();
        assertThat(run.state().sequence()).isEqualTo(sequence);
    }

    @Test
    void aFullDiskEndsTheRunOnceWhatRunsIsGone() {
        RunKit run = running();
        run.feed(new RunInput.Broken(run.now(), "no space left on device")).ends("dev", STOPPED);

        assertThat(run.subtype()).isEqualTo("error_infrastructure");
        assertThat(run.status()).isEqualTo(RunStatus.FAILED);
    }

    @Test
    void aDiskThatStaysFullIsReportedOnce() {
        RunKit run = running();
        run.feed(new RunInput.Broken(run.now(), "no space left on device"));
        assertThat(run.types()).containsExactly("run.stopping");
        run.feed(new RunInput.Broken(run.later(Duration.ofSeconds(1)).now(), "no space left on device"));
        assertThat(run.types()).isEmpty();
        run.feed(new RunInput.Broken(run.now(), "input/output error"));
        assertThat(run.types()).containsExactly("run.stopping");
        assertThat(run.ends("dev", STOPPED).subtype()).isEqualTo("error_infrastructure");
    }

    @Test
    void aNewRuntimeTakesOverWhatIsOpen() {
        RunKit run = running().crash();
        assertThat(run.commands(RunCommand.Launch.class))
                .singleElement()
                .satisfies(launch -> assertThat(launch.recovered()).isTrue());
        assertThat(run.types()).containsExactly("notice");

        run.stop().crash();

        assertThat(run.types()).isEmpty();
        assertThat(run.commands(RunCommand.StopStep.class)).hasSize(1);
        assertThat(run.commands(RunCommand.Launch.class)).hasSize(1);
    }

    @Test
    void aSecondRecoveryWithNothingNewRecordsNothing() {
        RunKit run = running().crash();
        RunState once = run.state();

        run.crash().crash();

        assertThat(run.state()).isEqualTo(once);
        assertThat(run.commands(RunCommand.Launch.class)).hasSize(1);
        assertThat(run.count("notice")).isEqualTo(1);

        run.ends("dev", exit(0)).crash();

        assertThat(run.lastEvent(Notice.class).steps()).containsExactlyElementsOf(run.open());
    }

    @Test
    void theSameEndTwiceIsLate() {
        RunKit run = running();
        OpenStep step = run.step("dev");
        run.ends("dev", exit(0));

        run.feed(new RunInput.StepEnded(run.now(), step.stepId(), exit(0).outcome(run.now(), "")));

        assertThat(run.last().late().orElseThrow()).contains("build.1.dev.1");
        assertThat(run.types()).isEmpty();
    }

    @Test
    void aBudgetIsWatchedWhileAStepRuns() {
        RunKit run = RunKit.started("budget: {costUsd: 10}\n" + Manifests.loop("maxIterations: 5"))
                .uses("dev", StepEnd.cost(8));
        assertThat(run.types()).containsExactly("step.usage", "budget.warning");
        run.uses("dev", StepEnd.cost(9)).uses("dev", StepEnd.cost(4));
        assertThat(run.count("budget.warning")).isEqualTo(1);
        assertThat(run.state().spending().costUsd()).isEqualByComparingTo("9");

        run.uses("dev", StepEnd.cost(10));

        assertThat(run.types()).containsExactly("step.usage", "stop", "run.stopping");
        assertThat(run.ends("dev", STOPPED.costing(11)).subtype()).isEqualTo("error_max_budget_usd");
        assertThat(run.resume(Resume.plain().costUsd(11)).missing().get(0))
                .isEqualTo("a cost cap above $11.00 (budget.costUsd)");
        assertThat(run.resume(Resume.plain().costUsd(12)).open()).containsExactly("build.1.dev.1-2");
    }

    @Test
    void aCapOnCostThatCannotBeWatchedIsSaidOnce() {
        RunKit run = RunKit.started("budget: {costUsd: 10}\n" + Manifests.loop("maxIterations: 5"))
                .ends("dev", exit(0))
                .ends("judge", signal("determination: PROGRESS, usage: {outputTokens: 7}"))
                .ends("dev", exit(0))
                .ends("judge", signal("determination: PROGRESS, usage: {outputTokens: 7}"));

        assertThat(run.history())
                .filteredOn(Notice.class::isInstance)
                .singleElement()
                .extracting(event -> ((Notice) event).once())
                .isEqualTo(Optional.of("budget-unreported:costUsd:judge"));
    }
}
