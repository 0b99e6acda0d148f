package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepResult;
import dev.loopkeeper.step.StepStatus;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A step that was not launched has no signal. */
class UnlaunchedStepsTest {
    /** An old file said SUCCESS, and the loop was complete though its agent never ran. */
    @ParameterizedTest
    @ValueSource(strings = {"determination: SUCCESS", "verdict: approved", "status: completed"})
    void whatLiesAtThePathIsNoSignalOfIt(String old) {
        RunKit run = RunKit.started(Manifests.phases("{name: only, critical: false, task: dev}"))
                .ends("dev", signal(old).causedBy(ExitCause.LAUNCH_FAILED).knowing("no such program"));

        StepResult result = run.lastEvent(StepFinished.class).result();
        assertThat(result.status()).isEqualTo(StepStatus.ERROR);
        assertThat(result.signal()).isEmpty();
        assertThat(result.errorContext().orElseThrow().kind()).isEqualTo("session-failed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{name: only, task: dev}",
                "{name: only, critical: false, task: dev}",
                "{name: only, critical: false, loop: {steps: [dev], maxIterations: 2}}",
                "{name: only, critical: false, each: {steps: [dev], items: [{id: f1}]}}"
            })
    void waitsForAPersonWhereThePlaceOfItsSignalCannotBeMadeFree(String phase) {
        RunKit run = RunKit.started(Manifests.phases(phase)).ends("dev", StepEnd.withBlockedSignalPath());

        assertThat(run.paused().reason()).isEqualTo(PauseReason.ANOMALY);
        assertThat(run.paused().message()).isEqualTo("dev: signal file dev.json of root cannot be moved aside");
        StepResult result = run.lastEvent(StepFinished.class).result();
        assertThat(result.errorContext().orElseThrow().kind()).isEqualTo("session-failed");
        assertThat(run.resume(Resume.with(ResumeAction.CONTINUE))
                        .launched()
                        .identity()
                        .agent())
                .isEqualTo("dev");
    }

    @Test
    void aStopThatCameFirstStaysAStop() {
        RunKit run = RunKit.started(Manifests.phases("{name: only, task: dev}"));
        run.stop();
        run.ends("dev", StepEnd.withBlockedSignalPath());

        assertThat(run.subtype()).isEqualTo("error_operator_stop");
    }
}
