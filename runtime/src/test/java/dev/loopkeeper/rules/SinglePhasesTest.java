package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.run.PhaseFinished;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.progress.PhaseOutcome;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.RefusalCode;
import org.junit.jupiter.api.Test;

/** Tasks and gates. */
class SinglePhasesTest {
    private static RunKit task(String more) {
        return RunKit.started(Manifests.phases("{name: plan, task: architect" + more + "}", "{name: end, task: dev}"));
    }

    private static RunKit gate(int retries) {
        return RunKit.started(Manifests.phases(
                        "{name: plan, task: dev}",
                        "{name: verify, gate: gatekeeper, retries: " + retries + "}",
                        "{name: end, task: dev}"))
                .ends("dev", exit(0));
    }

    @Test
    void aTaskThatIsDoneIsFollowedByTheNextPhase() {
        assertThat(task("").ends("architect", signal("readiness: READY")).open())
                .containsExactly("end.dev.1");
        assertThat(task("").ends("architect", signal("determination: SUCCESS")).open())
                .containsExactly("end.dev.1");
        assertThat(task("").ends("architect", signal("verdict: approved")).open())
                .containsExactly("end.dev.1");
    }

    @Test
    void aTaskThatIsNotReadyPausesWithItsGaps() {
        for (String readiness : new String[] {"BLOCKED", "NEEDS_REFINEMENT"}) {
            RunKit run = task("").ends("architect", signal("readiness: " + readiness + ", gaps: [the database]"));

            assertThat(run.paused().reason()).isEqualTo(PauseReason.ANOMALY);
            assertThat(run.paused().gaps()).containsExactly("the database");
            assertThat(run.paused().message()).isEqualTo("architect: the database");
            assertThat(run.resume(Resume.plain()).open()).containsExactly("plan.architect.2");
        }
    }

    @Test
    void aTaskWithAnAnomalyPausesAndRunsAgainOnContinue() {
        RunKit run = task("").ends("architect", signal("determination: ANOMALY"));

        assertThat(run.paused().reason()).isEqualTo(PauseReason.ANOMALY);
        assertThat(run.resume(Resume.plain()).open()).containsExactly("plan.architect.2");
    }

    @Test
    void aTaskThatAsksRunsAgainWithTheAnswer() {
        RunKit run = task("").ends("architect", signal("determination: SUCCESS, userInputNeeded: true"))
                .resume(Resume.plain().feedback("the blue one"));

        assertThat(run.open()).containsExactly("plan.architect.2");
        assertThat(run.launched().feedback()).isEqualTo("the blue one");
    }

    @Test
    void aResumeRepeatsNoFinishedTask() {
        assertThat(task("").ends("architect", signal("readiness: READY").leaving("12 sleeper"))
                        .resume(Resume.plain())
                        .open())
                .containsExactly("end.dev.1");
        assertThat(task("").ends("architect", signal("determination: SUCCESS, recommendStop: true"))
                        .resume(Resume.plain())
                        .open())
                .containsExactly("end.dev.1");
    }

    @Test
    void aFailedTaskEndsACriticalPhaseAndRunsAgainOnResume() {
        for (StepEnd end : new StepEnd[] {exit(2), signal("verdict: rejected"), signal("determination: STALLED")}) {
            RunKit run = task("").ends("architect", end);

            assertThat(run.subtype()).isEqualTo("error_critical_phase");
            assertThat(run.status()).isEqualTo(RunStatus.FAILED);
            assertThat(run.resume(Resume.plain()).open()).containsExactly("plan.architect.2");
        }
    }

    @Test
    void aFailedTaskThatIsNotCriticalIsRecorded() {
        RunKit run = task(", critical: false").ends("architect", exit(2));

        assertThat(run.open()).containsExactly("end.dev.1");
        assertThat(run.lastEvent(PhaseFinished.class).outcome()).isEqualTo(PhaseOutcome.FAILED);
    }

    @Test
    void aDeliverableMakesTheEndSubmitted() {
        RunKit run = RunKit.started(Manifests.phases("{name: plan, task: architect}"))
                .ends("architect", signal("status: completed, deliverable: {answer: 42}"));

        assertThat(run.subtype()).isEqualTo("submitted");
        assertThat(run.ended().deliverable().orElseThrow().path("answer").asInt())
                .isEqualTo(42);
    }

    @Test
    void aGatePassesWarnsOrFails() {
        assertThat(after(exit(0))).isEqualTo(PhaseOutcome.PASSED);
        assertThat(after(signal("verdict: approved"))).isEqualTo(PhaseOutcome.PASSED);
        assertThat(after(signal("verdict: approved").withExit(1))).isEqualTo(PhaseOutcome.PASSED);
        assertThat(after(signal("status: completed"))).isEqualTo(PhaseOutcome.PASSED);
        assertThat(after(signal("status: partial"))).isEqualTo(PhaseOutcome.WARNED);
        assertThat(after(signal("status: partial").withExit(1))).isEqualTo(PhaseOutcome.WARNED);
        assertThat(after(exit(1))).isEqualTo(PhaseOutcome.FAILED);
        assertThat(after(signal("verdict: rejected"))).isEqualTo(PhaseOutcome.FAILED);
        assertThat(after(signal("verdict: rejected, status: partial"))).isEqualTo(PhaseOutcome.FAILED);
        assertThat(after(signal("status: blocked"))).isEqualTo(PhaseOutcome.FAILED);
        assertThat(after(signal("readiness: BLOCKED"))).isEqualTo(PhaseOutcome.FAILED);
        assertThat(after(signal("readiness: NEEDS_REFINEMENT"))).isEqualTo(PhaseOutcome.FAILED);
        assertThat(after(signal("readiness: READY"))).isEqualTo(PhaseOutcome.PASSED);
    }

    private static PhaseOutcome after(StepEnd end) {
        return gate(1).ends("gatekeeper", end).lastEvent(PhaseFinished.class).outcome();
    }

    @Test
    void aFailedGateRunsThePhaseBeforeItAgainAndThenEndsTheRun() {
        RunKit run = gate(1).ends("gatekeeper", exit(1));
        assertThat(run.open()).containsExactly("plan.dev.2");
        run.ends("dev", exit(0));
        assertThat(run.open()).containsExactly("verify.gatekeeper.2");

        run.ends("gatekeeper", exit(1));

        assertThat(run.subtype()).isEqualTo("error_gate_failed");
        assertThat(run.status()).isEqualTo(RunStatus.FAILED);
    }

    @Test
    void aResumeEvaluatesTheGateAgainWithoutThePhasesBeforeIt() {
        RunKit run = gate(0).ends("gatekeeper", exit(1)).resume(Resume.plain());
        assertThat(run.open()).containsExactly("verify.gatekeeper.2");

        assertThat(run.ends("gatekeeper", exit(0)).open()).containsExactly("end.dev.1");
    }

    @Test
    void aGateMayBeWaivedByItsOwnNameOnly() {
        RunKit run = gate(0).ends("gatekeeper", exit(1));
        assertThat(run.resume(Resume.plain().waive("plan")).refused().code())
                .isEqualTo(RefusalCode.RESUME_PRECONDITION);
        assertThat(run.resume(Resume.plain().waive(" ")).missing())
                .containsExactly("waive with the current gate verify, not a blank name");

        run.resume(Resume.plain().waive("verify"));

        assertThat(run.open()).containsExactly("end.dev.1");
        assertThat(run.lastEvent(PhaseFinished.class).outcome()).isEqualTo(PhaseOutcome.WAIVED);
    }

    @Test
    void waivingTheLastGateCompletesTheRunAndClearsItsRecord() {
        RunKit run = RunKit.started(Manifests.phases("{name: verify, gate: gatekeeper}"))
                .ends("gatekeeper", exit(1))
                .resume(Resume.plain().waive("verify"));

        assertThat(run.subtype()).isEqualTo("stop");
        assertThat(run.state().ledger().exhaustion()).isEmpty();
        assertThat(run.state().ledger().exhaustionHistory()).hasSize(1);
    }

    @Test
    void aGateWithNothingBeforeItFailsAtOnce() {
        RunKit run = RunKit.started(Manifests.phases("{name: verify, gate: gatekeeper, retries: 3}"))
                .ends("gatekeeper", exit(1));

        assertThat(run.subtype()).isEqualTo("error_gate_failed");
    }
}
