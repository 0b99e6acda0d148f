package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.signal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.run.IterationFinished;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.step.Verdict;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepReport;
import dev.loopkeeper.step.StepResult;
import dev.loopkeeper.step.StepStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LoopPhaseTest {
    private static final StepEnd PROGRESS = signal("determination: PROGRESS");

    private static RunKit loop(String steps, String keys) {
        return RunKit.started(
                Manifests.phases("{name: build, loop: {steps: [" + steps + "], noProgress: 0, " + keys + "}}"));
    }

    /** The iterations in which the second agent ran, when each iteration's first step ends so. */
    private static List<Integer> iterationsOf(String agent, RunKit run, StepEnd first, int iterations) {
        List<Integer> ran = new ArrayList<>();
        for (int number = 1; number <= iterations; number++) {
            run.ends("judge", first);
            if (run.open().get(0).contains("." + agent + ".")) {
                ran.add(number);
                run.ends(agent, signal("status: completed"));
            }
        }
        return ran;
    }

    @Test
    void aStepWithEveryRunsInEachSoManyth() {
        RunKit run = loop("judge, {agent: reflection, every: 3}", "maxIterations: 0");

        assertThat(iterationsOf("reflection", run, PROGRESS, 7)).containsExactly(3, 6);
    }

    @Test
    void aRequestedStepRunsUnlessItIsNotNeeded() {
        RunKit run = loop("judge, {agent: reflection, when: requested}", "maxIterations: 0");

        assertThat(iterationsOf("reflection", run, PROGRESS, 2)).containsExactly(1, 2);
    }

    @Test
    void theThirdOptOutInARowIsOverruled() {
        RunKit run = loop("judge, {agent: reflection, when: requested}", "maxIterations: 0");
        StepEnd optsOut = signal("determination: PROGRESS, reflectionNeeded: false");

        assertThat(iterationsOf("reflection", run, optsOut, 7)).containsExactly(3, 6);
    }

    @Test
    void aSignalNotToContinueIsNeverOverruled() {
        RunKit run = loop("judge, {agent: reflection, when: requested}", "maxIterations: 0");
        StepEnd over = signal("determination: PROGRESS, shouldContinue: false");

        assertThat(iterationsOf("reflection", run, over, 7)).isEmpty();
    }

    @Test
    void theFailureOfARequestedStepIsNeverFatal() {
        RunKit run = loop("judge, {agent: dev, when: requested}", "maxIterations: 0")
                .ends("judge", PROGRESS)
                .ends("dev", exit(7));

        assertThat(run.open()).containsExactly("build.2.judge.1");
        assertThat(run.lastEvent(IterationFinished.class).result().verdict()).isEqualTo(Verdict.PROGRESS);
    }

    @Test
    void untilIterationsCompletesAfterTheLast() {
        RunKit run = loop("dev", "until: iterations, maxIterations: 2").inTurn(exit(0), "dev", "dev");

        assertThat(run.subtype()).isEqualTo("stop");
    }

    @Test
    void untilIterationsDoesNotMakeAFailureASuccess() {
        RunKit run = loop("dev", "until: iterations, maxIterations: 1").ends("dev", exit(1));

        assertThat(run.subtype()).isEqualTo("error_max_turns");
    }

    @Test
    void untilOutputCompletesWhenTheTextWasPrinted() {
        RunKit run = loop("dev", "until: {output: ALL DONE}, maxIterations: 0");
        assertThat(run.launched().expectOutput()).contains("ALL DONE");

        assertThat(run.ends("dev", exit(0)).open()).containsExactly("build.2.dev.1");
        assertThat(run.ends("dev", exit(0).printingTheText()).subtype()).isEqualTo("stop");
    }

    @Test
    void untilCommandCompletesWhenTheCommandExitsWith0() {
        RunKit run = loop("dev", "until: {first: false, command: [make, check]}, maxIterations: 0")
                .ends("dev", exit(0));
        assertThat(run.launched().agentSpec().program().command().words()).containsExactly("make", "check");

        run.ends("until", exit(1)).ends("dev", exit(0)).ends("until", exit(0));

        assertThat(run.subtype()).isEqualTo("stop");
        assertThat(run.state().cursor().lastIteration()).isEqualTo(2);
    }

    @Test
    void untilCommandHasTimeLimitsAndIsNotDoneWhenItRunsIntoOne() {
        RunKit run = loop("dev", "until: {first: false, command: [make, check], idleTimeout: 5m}, maxIterations: 2")
                .ends("dev", exit(0));
        assertThat(run.launched().agentSpec().limits().timeout()).contains(Duration.ofMinutes(30));
        assertThat(run.launched().agentSpec().limits().idleTimeout()).contains(Duration.ofMinutes(5));

        run.ends("until", StepEnd.by(ExitCause.TIMEOUT));
        assertThat(run.open()).containsExactly("build.2.dev.1");
        run.ends("dev", exit(0)).ends("until", StepEnd.by(ExitCause.IDLE));

        assertThat(run.subtype()).isEqualTo("error_max_turns");
    }

    @ParameterizedTest
    @EnumSource(
            value = ExitCause.class,
            names = {"TIMEOUT", "IDLE"})
    void aLimitAfterTheFinalRecordOfSuccessTakesNothingBack(ExitCause limit) {
        RunKit run = loop("dev", "until: iterations, maxIterations: 1")
                .ends("dev", exit(0).withExit(143).causedBy(limit));

        StepResult result = run.lastEvent(StepFinished.class).result();
        assertThat(result.status()).isEqualTo(StepStatus.COMPLETED);
        assertThat(result.termination()).isEqualTo("stop");
        assertThat(result.errorContext().orElseThrow().kind()).isEqualTo(limit.wire());
        assertThat(result.errorContext().orElseThrow().message()).endsWith(" after the agent had reported success");
        assertThat(run.subtype()).isEqualTo("stop");
    }

    @Test
    void anErrorOfAnAgentThatALimitEndedHasItsLastWords() {
        StepReport words = StepReport.plain("error_during_execution", Optional.empty())
                .withDiagnostic(Optional.of("loading\nwaiting for the lock"));
        for (ExitCause cause : List.of(ExitCause.TIMEOUT, ExitCause.IDLE, ExitCause.KILLED, ExitCause.VANISHED)) {
            RunKit run = loop("dev", "until: iterations, maxIterations: 2")
                    .ends("dev", StepEnd.by(cause).reporting(words));

            assertThat(run.lastEvent(StepFinished.class)
                            .result()
                            .errorContext()
                            .orElseThrow()
                            .message())
                    .endsWith(": loading\nwaiting for the lock");
        }
    }

    @Test
    void anApprovalCompletesAndARejectionIsAStall() {
        assertThat(loop("judge", "maxIterations: 0")
                        .ends("judge", signal("verdict: approved"))
                        .subtype())
                .isEqualTo("stop");
        assertThat(loop("judge", "maxIterations: 0")
                        .ends("judge", signal("verdict: rejected"))
                        .lastEvent(IterationFinished.class)
                        .result()
                        .verdict())
                .isEqualTo(Verdict.STALLED);
    }

    @Test
    void theLastDeterminationIsTheVerdict() {
        RunKit run = loop("judge, audit", "maxIterations: 0")
                .ends("judge", signal("determination: SUCCESS"))
                .ends("audit", PROGRESS);

        assertThat(run.lastEvent(IterationFinished.class).result().verdict()).isEqualTo(Verdict.PROGRESS);
    }

    @Test
    void aFailedStepEndsItsIterationAsFailed() {
        RunKit run = loop("dev, judge", "maxIterations: 0").ends("dev", exit(1));

        assertThat(run.open()).containsExactly("build.2.dev.1");
        assertThat(run.lastEvent(IterationFinished.class).result().verdict()).isEqualTo(Verdict.FAILED);
    }

    @Test
    void iterationNumbersCountWithinTheRun() {
        RunKit run = RunKit.started(Manifests.phases(
                        "{name: one, loop: {steps: [dev], maxIterations: 2}}",
                        "{name: two, loop: {steps: [cheap, {agent: dev, every: 2}], maxIterations: 2}}"))
                .inTurn(exit(0), "dev", "dev");
        assertThat(run.open()).containsExactly("two.3.cheap.1");

        assertThat(run.inTurn(exit(0), "cheap", "cheap").open()).containsExactly("two.4.dev.1");
    }

    @Test
    void anAgentThatStandsTwiceInAnIterationHasTwoStepIds() {
        RunKit run = loop("dev, dev", "maxIterations: 1").ends("dev", exit(0));

        assertThat(run.open()).containsExactly("build.1.dev.1-2");
    }

    @Test
    void anOscillationEndsTheLoop() {
        RunKit run = RunKit.started(
                Manifests.phases("{name: build, loop: {steps: [judge], maxIterations: 0, noProgress: 2}}"));
        for (int i = 0; i < 4; i++) {
            run.ends("judge", PROGRESS.withDigest(i % 2 == 0 ? "there" : "back"));
        }

        assertThat(run.subtype()).isEqualTo("error_no_progress");
        assertThat(run.ended().noProgressSnapshot().orElseThrow().path("cycle").asInt())
                .isEqualTo(2);
    }

    private static RunKit loopOf(String agent, String until) {
        return RunKit.started("name: demo\nagents:\n  dev: " + agent + "\nphases: [{name: build, loop: {steps: [dev],"
                + " maxIterations: 9" + until + "}}]\n");
    }

    @Test
    void theWordsOfAModelAreNoProgress() {
        RunKit run = loopOf(
                "{command: [dev], output: claude-code}", ", noProgress: 3, until: {command: [make], first: false}");
        for (int i = 0; i < 3; i++) {
            run.ends("dev", exit(0).withDigest("same").withText("try " + i))
                    .ends("until", exit(2).withDigest("same").printing("failed in " + i + " s"));
        }

        assertThat(run.subtype()).isEqualTo("error_no_progress");
        assertThat(run.ended().noProgressSnapshot().orElseThrow().path("compared"))
                .extracting(JsonNode::textValue)
                .containsExactly("verdict", "exit codes", "until.command", "workspace");
        assertThat(run.ended().summary())
                .startsWith("the last 3 iterations produced the same result (verdict, exit codes, until.command,");
    }

    @Test
    void aJudgesNewConcernIsNoProgressButANewDecisionIs() {
        RunKit run = loopOf("{command: [dev], signal: dev.json}", ", noProgress: 3");
        run.ends("dev", signal("determination: PROGRESS, shouldContinue: false").withDigest("same"));
        for (int i = 0; i < 3; i++) {
            run.ends(
                    "dev",
                    signal("determination: PROGRESS, keyConcern: concern " + i)
                            .withDigest("same")
                            .withText("n" + i));
        }

        assertThat(run.subtype()).isEqualTo("error_no_progress");
        assertThat(run.state().cursor().lastIteration()).isEqualTo(4);
    }

    @Test
    void whatAProgramPrintsAndWhatACheckReportsIsProgress() {
        RunKit plain = loopOf("{command: [dev]}", ", noProgress: 3, until: iterations");
        RunKit checked =
                loopOf("{command: [dev], output: codex}", ", noProgress: 3, until: {command: [make], first: false}");
        for (int i = 0; i < 4; i++) {
            plain.ends("dev", exit(0).withDigest("same").withText("row " + i));
            checked.ends("dev", exit(0).withDigest("same"))
                    .ends("until", exit(2).withDigest("same").printing(4 - i + " tests failed"));
        }

        assertThat(plain.open()).containsExactly("build.5.dev.1");
        assertThat(checked.open()).containsExactly("build.5.dev.1");
    }

    private static RunKit green() {
        RunKit run = loopOf("{command: [dev]}", ", until: {command: [make]}, noProgress: 0");
        assertThat(run.open()).containsExactly("build.until.1");
        return run.ends("until", exit(0).withDigest("before"));
    }

    @Test
    void aCheckThatPassesBeforeTheFirstIterationProvesNothing() {
        RunKit run = green();
        assertThat(run.state().ledger().statistics().totalAttempts()).isOne();
        assertThat(run.history())
                .anySatisfy(event -> assertThat(event)
                        .isInstanceOfSatisfying(
                                Notice.class,
                                notice -> assertThat(notice.code()).isEqualTo("check-passes-already")));

        for (int i = 0; i < 3; i++) {
            run.ends("dev", exit(0).withDigest("before")).ends("until", exit(0).withDigest("before"));
        }

        assertThat(run.subtype()).isEqualTo("error_no_progress");
    }

    @Test
    void aPassedCheckCountsOnceAnIterationHasChangedTheWorkspace() {
        RunKit run = green();
        run.ends("dev", exit(0).withDigest("before")).ends("until", exit(0).withDigest("before"));
        run.ends("dev", exit(0).withDigest("after")).ends("until", exit(1).withDigest("after"));
        run.ends("dev", exit(0).withDigest("before")).ends("until", exit(0).withDigest("before"));

        assertThat(run.subtype()).isEqualTo("stop");
        assertThat(run.state().cursor().lastIteration()).isEqualTo(3);
    }

    @Test
    void aCheckThatFailsBeforeTheFirstIterationCountsAtOnce() {
        RunKit run = loopOf("{command: [dev]}", ", until: {command: [make]}, noProgress: 0");

        run.ends("until", exit(1)).ends("dev", exit(0)).ends("until", exit(0));

        assertThat(run.subtype()).isEqualTo("stop");
        assertThat(run.state().cursor().lastIteration()).isEqualTo(1);
    }

    @Test
    void aLoopThatIsNotCriticalMayRunOut() {
        RunKit run = RunKit.started(Manifests.phases(
                        "{name: build, critical: false, loop: {steps: [judge], maxIterations: 1}}",
                        "{name: end, task: dev}"))
                .ends("judge", PROGRESS);

        assertThat(run.open()).containsExactly("end.dev.1");
    }

    @Test
    void aPersonsWordAtAnExhaustedLimitIsWorthOneMoreIteration() {
        RunKit run = loop("judge", "maxIterations: 1")
                .ends("judge", signal("determination: ANOMALY"))
                .resume(Resume.plain());
        assertThat(run.open()).containsExactly("build.2.judge.1");

        assertThat(run.ends("judge", PROGRESS).subtype()).isEqualTo("error_max_turns");
    }
}
