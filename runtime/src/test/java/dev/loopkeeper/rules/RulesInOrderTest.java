package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.signal;
import static dev.loopkeeper.rules.StepEnd.silent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.StopAsked;
import dev.loopkeeper.statistics.StopCondition;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.StopCause;
import dev.loopkeeper.verdict.SignalDetail;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fourteen rules of deciding, each against the next one. */
class RulesInOrderTest {
    private static final String THRESHOLDS = "retry: {stopConditions: {maxConsecutiveFails: 1}}\n";

    private static RunKit judging(String keys) {
        return RunKit.started(Manifests.loop(keys)).ends("dev", exit(0));
    }

    @Test
    void rule1APendingStopComesBeforeAMissingSignal() {
        RunKit run = judging("maxIterations: 3").stop().ends("judge", silent(SignalDetail.ABSENT));

        assertThat(run.subtype()).isEqualTo("error_operator_stop");
    }

    @Test
    void rule1APendingStopComesBeforeASuccess() {
        RunKit run = judging("maxIterations: 3").stop().ends("judge", signal("determination: SUCCESS"));

        assertThat(run.subtype()).isEqualTo("error_operator_stop");
    }

    @Test
    void whatWasDoneWhileAStopWasPendingIsNotDoneAgain() {
        RunKit run = judging("maxIterations: 3").stop().ends("judge", signal("determination: SUCCESS"));

        run.resume(Resume.plain());

        assertThat(run.subtype()).isEqualTo("stop");
        assertThat(run.count("step.started")).isEqualTo(2);
    }

    /** What asks, or could not do its work, was treated as done: nothing reported it, and a blocked task passed. */
    @ParameterizedTest(name = "{1} in {0}, over budget or under a stop: {2}, {3}")
    @CsvSource(delimiter = '|', textBlock = """
            task: judge                            | readiness: BLOCKED                          | p.judge.2    | p.judge.2
            task: judge                            | readiness: NEEDS_REFINEMENT                 | p.judge.2    | p.judge.2
            task: judge                            | readiness: SCOPE_COMPLETE                   | p.judge.2    | p.judge.2
            task: judge                            | status: blocked                             | p.judge.2    | p.judge.2
            task: judge                            | determination: ANOMALY                      | p.judge.2    | p.judge.2
            task: judge                            | status: completed, userInputNeeded: true    | p.judge.2    | p.judge.2
            task: judge                            | status: completed, recommendStop: true      | next.dev.1   | next.dev.1
            task: judge                            | readiness: READY                            | next.dev.1   | next.dev.1
            'each: {items: [{id: i}], steps: [judge, dev]}' | verdict: approved, userInputNeeded: true | p.i.judge.1-2 | p.i.judge.1-2
            'each: {items: [{id: i}], steps: [judge, dev]}' | verdict: approved                        | p.i.dev.1     | p.i.dev.1
            'loop: {steps: [judge, dev]}'          | determination: PROGRESS, userInputNeeded: true | p.1.judge.1-2 | p.1.judge.1-2
            'loop: {steps: [judge, dev]}'          | determination: PROGRESS                     | p.1.dev.1    | p.1.dev.1
            gate: judge                            | verdict: rejected                           | p.judge.2    | p.judge.2
            gate: judge                            | verdict: approved, userInputNeeded: true    | p.judge.2    | p.judge.2
            """)
    void whatIsNotDoneWhileABudgetOrAStopEndsTheRunIsLaunchedAgain(
            String phase, String says, String afterBudget, String afterStop) {
        String manifest =
                "budget: {costUsd: 5}\n" + Manifests.phases("{name: p, " + phase + "}", "{name: next, task: dev}");

        RunKit spent = RunKit.started(manifest).ends("judge", signal(says).costing(6));
        assertThat(spent.subtype()).isEqualTo("error_max_budget_usd");
        assertThat(spent.resume(Resume.plain().costUsd(10)).open()).containsExactly(afterBudget);

        RunKit stopped = RunKit.started(manifest).stop().ends("judge", signal(says));
        assertThat(stopped.subtype()).isEqualTo("error_operator_stop");
        assertThat(stopped.resume(Resume.plain()).open()).containsExactly(afterStop);
    }

    @Test
    void aStopThatCutAStepShortHasItLaunchedAgainUnderAnotherId() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 3"))
                .stop()
                .ends("dev", StepEnd.by(ExitCause.STOPPED))
                .resume(Resume.plain());

        assertThat(run.open()).containsExactly("build.1.dev.1-2");
    }

    @Test
    void rule2AMissingSignalPausesAlsoOverBudget() {
        RunKit run = RunKit.started("budget: {costUsd: 1}\n" + Manifests.loop("maxIterations: 3"))
                .ends("dev", exit(0))
                .ends("judge", silent(SignalDetail.ABSENT).costing(5));

        assertThat(run.paused().reason()).isEqualTo(PauseReason.MISSING_SIGNALS);
    }

    @Test
    void rule3ATerminalSignalEndsTheRunAlsoOverBudget() {
        RunKit run = RunKit.started("budget: {costUsd: 1}\n" + Manifests.loop("maxIterations: 3"))
                .ends("dev", exit(0))
                .ends(
                        "judge",
                        signal("terminal: {reasonCode: halted, summary: enough, taskId: T7}")
                                .costing(5));

        assertThat(run.subtype()).isEqualTo("error_halted");
        assertThat(run.ended().alsoTriggered()).containsExactly("budget-exceeded");
        assertThat(run.state().ledger().exhaustion().orElseThrow().taskId()).contains("T7");
        assertThat(run.state().ledger().exhaustion().orElseThrow().workUnit()).contains("iteration-1");
    }

    @Test
    void rule4AnExceededBudgetEndsTheRunAlsoWithAQuestion() {
        RunKit run = RunKit.started("budget: {costUsd: 1}\n" + Manifests.loop("maxIterations: 3"))
                .ends("dev", exit(0))
                .ends(
                        "judge",
                        signal("determination: PROGRESS, userInputNeeded: true").costing(1));

        assertThat(run.subtype()).isEqualTo("error_max_budget_usd");
        assertThat(run.types()).contains("stop");
    }

    @Test
    void rule5AQuestionPausesAlsoWhenAStopIsRecommended() {
        RunKit run = judging("maxIterations: 3")
                .ends(
                        "judge",
                        signal("determination: ANOMALY, userInputNeeded: true, recommendStop: true,"
                                + " questions: ['which one?']"));

        assertThat(run.paused().reason()).isEqualTo(PauseReason.USER_INPUT_NEEDED);
        assertThat(run.paused().questions()).containsExactly("which one?");
    }

    @Test
    void rule6ARecommendedStopPausesAlsoASuccess() {
        RunKit run = judging("maxIterations: 3")
                .ends("judge", signal("determination: SUCCESS, recommendStop: true, iterationHealth: diverging"));

        assertThat(run.paused().reason()).isEqualTo(PauseReason.ANOMALY);
    }

    @Test
    void rule6IsOverruledByASuccessInGoodHealth() {
        RunKit run = judging("maxIterations: 3")
                .ends("judge", signal("determination: SUCCESS, recommendStop: true, iterationHealth: stable"));

        assertThat(run.subtype()).isEqualTo("stop");
    }

    @Test
    void aPersonsResumeOverridesARecommendedStop() {
        RunKit run = judging("maxIterations: 3")
                .ends("judge", signal("determination: SUCCESS, recommendStop: true"))
                .resume(Resume.plain());

        assertThat(run.subtype()).isEqualTo("stop");
    }

    @Test
    void rule7ASuccessInTheLastIterationIsASuccess() {
        RunKit run = judging("maxIterations: 1").ends("judge", signal("determination: SUCCESS"));

        assertThat(run.subtype()).isEqualTo("stop");
        assertThat(run.ended().alsoTriggered()).isEmpty();
    }

    @Test
    void rule8AnAnomalyPausesBeforeAStopConditionHalts() {
        RunKit run = RunKit.started(THRESHOLDS + Manifests.loop("maxIterations: 3"))
                .ends("dev", exit(0))
                .ends("judge", signal("determination: ANOMALY"));

        assertThat(run.paused().reason()).isEqualTo(PauseReason.ANOMALY);
    }

    @Test
    void rule9AStopConditionEndsTheRunBeforeNoProgressAndTheLimit() {
        RunKit run = RunKit.started(THRESHOLDS + Manifests.loop("maxIterations: 1, noProgress: 1"))
                .ends("dev", exit(0))
                .ends("judge", signal("determination: STALLED"));

        assertThat(run.subtype()).isEqualTo("error_consecutive_mistakes");
        assertThat(run.ended().alsoTriggered()).containsExactly("no-progress", "convergence-limit");
        assertThat(((Condition.Ended) run.state().condition())
                        .stopReason()
                        .orElseThrow()
                        .condition())
                .isEqualTo(StopCondition.CONSECUTIVE_FAILS);
    }

    @Test
    void rule10SameResultsEndTheRunBeforeTheLimit() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 3"));
        for (int iteration = 0; iteration < 3; iteration++) {
            run.ends("dev", exit(0).withDigest("same"))
                    .ends("judge", signal("determination: PROGRESS").withDigest("same"));
        }

        assertThat(run.subtype()).isEqualTo("error_no_progress");
        assertThat(run.ended().alsoTriggered()).containsExactly("convergence-limit");
        assertThat(run.ended().noProgressSnapshot().orElseThrow().path("iterations"))
                .hasSize(3);
        StepFinished finished = run.lastEvent(StepFinished.class);
        assertThat(finished.result().noProgressSnapshot()).isEqualTo(run.ended().noProgressSnapshot());
    }

    @Test
    void rule11AStallPausesBeforeTheLimitWhereTheManifestSaysSo() {
        RunKit run = judging("maxIterations: 1, onStalled: pause").ends("judge", signal("determination: STALLED"));

        assertThat(run.paused().reason()).isEqualTo(PauseReason.ANOMALY);
    }

    @Test
    void rule11AStallEndsTheRunWhereTheManifestSaysSo() {
        RunKit run = judging("maxIterations: 1, onStalled: stop").ends("judge", signal("determination: STALLED"));

        assertThat(run.subtype()).isEqualTo("error_no_progress");
        assertThat(run.ended().alsoTriggered()).containsExactly("convergence-limit");
    }

    @Test
    void rule12TheLimitEndsTheRunBeforeACadencePauses() {
        RunKit run = judging("maxIterations: 1, pauseEvery: 1").ends("judge", signal("determination: PROGRESS"));

        assertThat(run.subtype()).isEqualTo("error_max_turns");
        assertThat(run.lastEvent(StopAsked.class).cause()).isEqualTo(StopCause.LIMIT);
    }

    @Test
    void rule13ACadencePausesEverySoManyIterations() {
        RunKit run = judging("pauseEvery: 2").ends("judge", signal("determination: PROGRESS"));
        assertThat(run.status()).isEqualTo(RunStatus.RUNNING);

        run.ends("dev", exit(0)).ends("judge", signal("determination: PROGRESS"));

        assertThat(run.paused().reason()).isEqualTo(PauseReason.CADENCE);
    }

    @Test
    void rule14ProgressAndMilestonesContinue() {
        RunKit run = judging("maxIterations: 3").ends("judge", signal("determination: MILESTONE_SUCCESS"));

        assertThat(run.open()).containsExactly("build.2.dev.1");
    }

    @Test
    void anExceededBudgetNamesTheLimitThatWasReachedWithIt() {
        RunKit run = RunKit.started("budget: {turns: 2}\n" + Manifests.loop("maxIterations: 1"))
                .ends("dev", exit(0).costing(1))
                .ends("judge", signal("determination: PROGRESS").costing(1));

        assertThat(run.subtype()).isEqualTo("error_max_budget_usd");
        assertThat(run.ended().alsoTriggered()).containsExactly("convergence-limit");
    }
}
