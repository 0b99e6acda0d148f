package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.signal;
import static dev.loopkeeper.rules.StepEnd.silent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.verdict.SignalDetail;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What becomes of a run with a step that went with its node. */
class NodeLossTest {
    private static final StepEnd LOST = StepEnd.by(ExitCause.NODE_LOST);

    private static RunKit run(String ofDev, String keys) {
        return RunKit.started("""
                name: lost
                agents:
                  dev: {command: [./dev.sh]%s}
                  other: {command: [./other.sh]}
                  judge: {command: [./judge.sh], signal: .loopkeeper/signals/judge.json}
                phases: [{name: build, loop: {maxIterations: 3, steps: [{agent: dev}, {agent: judge}]}}]
                %s
                """.formatted(ofDev, keys));
    }

    private static RunKit retrying(String keys) {
        return run(", onNodeLoss: retry, fallback: [other]", keys);
    }

    @Test
    void itPausesTheRunWithItsCause() {
        RunKit run = run("", "").ends("dev", LOST);

        assertThat(run.paused().reason()).isEqualTo(PauseReason.MISSING_SIGNALS);
        assertThat(run.paused().detail()).contains("absent");
        assertThat(run.paused().message()).startsWith("dev: the node that executed the step was lost");
        assertThat(run.lastEvent(StepFinished.class).result().termination()).isEqualTo("error_crashed");
        assertThat(run.lastEvent(StepFinished.class).result().errorContext().map(ErrorContext::kind))
                .contains("node-lost");
    }

    @Test
    void theTimeOfALostStepCountsFromItsLaunch() {
        RunKit run = run("", "").later(Duration.ofSeconds(28)).ends("dev", LOST);

        assertThat(run.lastEvent(StepFinished.class).result().durationMs()).isBetween(28_000L, 30_000L);
    }

    @Test
    void anAgentWithRetryOnNodeLossIsLaunchedAgain() {
        RunKit run = retrying("retry: {backoff: {initial: 2s, jitter: 0}}").ends("dev", LOST);

        assertThat(((Condition.Waiting) run.state().condition()).resumeAt().orElseThrow())
                .isEqualTo(run.now().plusSeconds(2));
        run.later(Duration.ofSeconds(3)).timer();
        assertThat(run.open()).containsExactly("build.1.dev.1-2");
        assertThat(run.state().ledger().statistics().totalAttempts()).isEqualTo(2);
        assertThat(run.state().ledger().statistics().ended().itemsRetried()).isZero();
        run.ends("dev", exit(0)).ends("judge", signal("determination: SUCCESS"));
        assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    void anAgentThatBringsItsNodesDownWaitsForAPerson() {
        RunKit run = retrying("retry: {backoff: {initial: 1s, jitter: 0}, transient: {max: 2}}");
        for (int launch = 0; launch < 2; launch++) {
            run.ends("dev", LOST).later(Duration.ofMinutes(1)).timer();
        }

        run.ends("dev", LOST);

        assertThat(run.paused().reason()).isEqualTo(PauseReason.MISSING_SIGNALS);
        assertThat(run.state().ledger().statistics().totalAttempts()).isEqualTo(3);
    }

    @Test
    void aValidSignalThatItLeftIsTaken() {
        RunKit run = run("", "").ends("dev", exit(0));

        run.ends("judge", signal("determination: SUCCESS").causedBy(ExitCause.NODE_LOST));

        assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    void aRunThatIsBeingStoppedLaunchesNothing() {
        RunKit run = retrying("").stop().ends("dev", LOST);

        assertThat(run.status()).isEqualTo(RunStatus.STOPPED);
        assertThat(run.open()).isEmpty();
    }

    @Test
    void anIterationThatIsRepeatedAfterLossesWasNotRetried() {
        RunKit run = run("", "").ends("dev", LOST).resume(Resume.with(ResumeAction.RETRY_ITERATION));
        run.ends("dev", exit(0)).ends("judge", LOST).resume(Resume.with(ResumeAction.RETRY_ITERATION));

        run.ends("dev", exit(0)).ends("judge", signal("determination: SUCCESS"));

        assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(run.state().ledger().statistics().ended().itemsRetried()).isZero();
        assertThat(run.state().ledger().statistics().totalAttempts()).isEqualTo(5);
    }

    @Test
    void aMissingSignalBesideALossIsARetry() {
        RunKit run = run("", "").ends("dev", LOST).resume(Resume.with(ResumeAction.RETRY_ITERATION));
        run.ends("dev", exit(0))
                .ends("judge", silent(SignalDetail.ABSENT))
                .resume(Resume.with(ResumeAction.RETRY_ITERATION));

        run.ends("dev", exit(0)).ends("judge", signal("determination: SUCCESS"));

        assertThat(run.state().ledger().statistics().ended().itemsRetried()).isEqualTo(1);
    }
}
