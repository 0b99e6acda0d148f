package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.rules.message.StepOutcome;
import org.junit.jupiter.api.Test;

/** Looking at a workspace of 50,000 files after each step took longer than the steps. */
class WorkspaceRulesTest {
    private static final StepEnd PROGRESS = signal("determination: PROGRESS");

    private static boolean compares(RunKit run, String agent, StepEnd end) {
        StepOutcome outcome = end.outcome(RunKit.BEGIN, "output");
        return WorkspaceRules.after(run.state(), run.step(agent).stepId(), outcome)
                .compared();
    }

    private static RunKit loop(String keys) {
        return RunKit.started(Manifests.loop(keys));
    }

    private static boolean lastStepCompares(String keys) {
        return compares(loop(keys).ends("dev", exit(0)), "judge", PROGRESS);
    }

    @Test
    void onlyALoopThatComparesItsIterationsIsCompared() {
        assertThat(lastStepCompares("maxIterations: 3, noProgress: 0")).isFalse();
        assertThat(lastStepCompares("maxIterations: 3, until: iterations")).isFalse();
        assertThat(lastStepCompares("maxIterations: 3")).isTrue();
        assertThat(lastStepCompares("maxIterations: 3, until: iterations, noProgress: 2"))
                .isTrue();
        assertThat(compares(RunKit.started(Manifests.phases("{name: plan, task: architect}")), "architect", PROGRESS))
                .isFalse();
    }

    @Test
    void anIterationIsComparedAfterItsLastStep() {
        RunKit run = loop("maxIterations: 3");

        assertThat(compares(run, "dev", exit(0))).isFalse();
        assertThat(compares(run.ends("dev", exit(0)), "judge", PROGRESS)).isTrue();
    }

    @Test
    void aStepThatFailsIsTheLast() {
        assertThat(compares(loop("maxIterations: 3"), "dev", exit(1))).isTrue();
    }

    @Test
    void anIterationThatSucceedsIsComparedWithNone() {
        assertThat(compares(loop("maxIterations: 3").ends("dev", exit(0)), "judge", signal("determination: SUCCESS")))
                .isFalse();
    }

    @Test
    void theCheckOfALoopIsItsLastStep() {
        RunKit run = loop("maxIterations: 3, noProgress: 3, until: {command: [make], first: false}")
                .ends("dev", exit(0));

        assertThat(compares(run, "judge", PROGRESS)).isFalse();
        assertThat(compares(run.ends("judge", PROGRESS), "until", exit(1))).isTrue();
    }

    @Test
    void aRequestedStepIsTheLastWhereItRuns() {
        RunKit run = RunKit.started(Manifests.phases(
                "{name: build, loop: {steps: [judge, {agent: reflection," + " when: requested}], maxIterations: 3}}"));

        assertThat(compares(run, "judge", PROGRESS)).isFalse();
        assertThat(compares(run, "judge", signal("determination: PROGRESS, reflectionNeeded: false")))
                .isTrue();
    }
}
