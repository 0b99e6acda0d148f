package dev.loopkeeper.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.run.step.LastVerdict;
import dev.loopkeeper.view.PhaseProgress;
import dev.loopkeeper.view.Run;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** What a list shows of a run without another question: limits, phases, and what was said last. */
class RunProgressViewTest {
    private static Run view(RunKit run) {
        return RunView.of(run.state());
    }

    private static List<String> statuses(RunKit run) {
        return view(run).phases().stream().map(PhaseProgress::status).toList();
    }

    @Test
    void phasesBecomeActiveAndSayHowTheyWereLeft() {
        String plan = Manifests.phases(
                "{name: plan, task: dev}", "{name: extra, task: dev, critical: false}", "{name: last, task: dev}");
        RunKit run = RunKit.queued(plan);
        assertThat(statuses(run)).containsExactly("pending", "pending", "pending");
        run.start();
        assertThat(statuses(run)).containsExactly("active", "pending", "pending");
        run.ends("dev", StepEnd.exit(0));
        assertThat(statuses(run)).containsExactly("passed", "active", "pending");
        run.ends("dev", StepEnd.exit(1));
        assertThat(statuses(run)).containsExactly("passed", "failed", "active");
        run.ends("dev", StepEnd.exit(0));
        assertThat(statuses(run)).containsExactly("passed", "failed", "passed");
        assertThat(view(run).phases().get(0)).isEqualTo(new PhaseProgress("plan", "task", "passed"));
    }

    @Test
    void theLastVerdictIsTheNewestThatWasSaid() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 5"));
        assertThat(view(run).last()).isEmpty();
        run.ends("dev", StepEnd.exit(0));
        assertThat(view(run).last()).isEmpty();
        run.ends("judge", StepEnd.signal("determination: PROGRESS, key_concern: slow"));
        Optional<LastVerdict> last = view(run).last();
        assertThat(last).hasValueSatisfying(verdict -> {
            assertThat(verdict.stepId()).isEqualTo("build.1.judge.1");
            assertThat(verdict.verdict()).isEqualTo("PROGRESS");
            assertThat(verdict.concern()).contains("slow");
        });
        run.ends("dev", StepEnd.exit(0));
        assertThat(view(run).last()).isEqualTo(last);
        run.ends("judge", StepEnd.lasting("error_authentication", "auth"));
        assertThat(view(run).last())
                .hasValueSatisfying(verdict -> assertThat(verdict.verdict()).isEqualTo("FAILED"));
    }

    @Test
    void thePhaseThatARunEndedInIsNotActive() {
        RunKit failed = RunKit.started(Manifests.phases("{name: plan, task: dev}", "{name: check, gate: gatekeeper}"))
                .ends("dev", StepEnd.exit(1));
        assertThat(statuses(failed)).containsExactly("failed", "pending");

        RunKit stopped = RunKit.started(Manifests.loop("maxIterations: 1"))
                .ends("dev", StepEnd.exit(0))
                .ends("judge", StepEnd.signal("determination: PROGRESS"));
        assertThat(statuses(stopped)).containsExactly("stopped");
        assertThat(statuses(stopped.resume(Resume.plain().maxIterations(2)))).containsExactly("active");
    }

    @Test
    void limitsAreThoseInForce() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 1") + "budget: {costUsd: 5}\n");
        assertThat(view(run).limits().costUsd()).isEqualTo(OptionalDouble.of(5));
        assertThat(view(run).limits().tokens()).isEmpty();
        assertThat(view(run).limits().maxIterations()).contains(1);
        run.ends("dev", StepEnd.exit(0)).ends("judge", StepEnd.signal("determination: PROGRESS"));
        run.resume(Resume.plain().maxIterations(7));
        assertThat(view(run).limits().maxIterations()).contains(7);
    }

    @Test
    void aLoopWithoutALimitHasNone() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 0"));
        assertThat(view(run).limits().maxIterations()).isEmpty();
    }

    @Test
    void anIterationWithAQuestionDoesNotCountForTheLimit() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 3"));
        for (int question = 1; question <= 2; question++) {
            run.ends("dev", StepEnd.signal("determination: PROGRESS, userInputNeeded: true, questions: [why]"));
            assertThat(view(run).position().iteration()).contains(question);
            assertThat(view(run).position().countedIterations()).contains(0);
            run.resume(Resume.plain());
        }
        assertThat(view(run).position().iteration()).contains(3);
        assertThat(view(run).position().countedIterations()).contains(1);

        for (int iteration = 3; iteration <= 5; iteration++) {
            assertThat(view(run).position().iteration()).contains(iteration);
            assertThat(view(run).position().countedIterations()).contains(iteration - 2);
            run.ends("dev", StepEnd.exit(0)).ends("judge", StepEnd.signal("determination: PROGRESS"));
        }
        assertThat(run.subtype()).isEqualTo("error_max_turns");
        assertThat(view(run).position().countedIterations()).contains(3);
    }

    @Test
    void aLaterLoopCountsItsOwnIterations() {
        String second = "{name: second, loop: {steps: [judge], maxIterations: 2}}";
        RunKit run = RunKit.started(Manifests.phases(Manifests.loopPhase("maxIterations: 2"), second))
                .ends("dev", StepEnd.exit(0))
                .ends("judge", StepEnd.signal("determination: SUCCESS"));

        assertThat(view(run).position().iteration()).contains(2);
        assertThat(view(run).position().countedIterations()).contains(1);
    }
}
