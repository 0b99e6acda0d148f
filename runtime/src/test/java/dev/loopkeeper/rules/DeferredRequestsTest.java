package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.checkpoint.RunExplanation;
import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.checkpoint.StateJson;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.RefusalCode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Starts, resumes and pauses that are recorded now and take effect at a later time. */
class DeferredRequestsTest {
    private static final Duration NIGHT = Duration.ofHours(9);

    private static RunKit paused() {
        return RunKit.started(Manifests.loop("maxIterations: 9"))
                .ends("dev", exit(0))
                .ends("judge", signal("determination: ANOMALY"));
    }

    private static Resume at(Instant time) {
        return new Resume(ResumeRequest.PLAIN.with(copy -> copy.at(Optional.of(time))));
    }

    private static List<Instant> wakes(RunKit run) {
        return run.commands(RunCommand.WakeAt.class).stream()
                .map(RunCommand.WakeAt::due)
                .toList();
    }

    private static Instant tonight(RunKit run) {
        return run.now().plus(NIGHT);
    }

    @Test
    void aHeldRunStartsAtItsTimeAlsoAfterARestart() {
        RunKit run = RunKit.held(Manifests.loop("maxIterations: 9"));
        Instant time = tonight(run);
        run.resume(at(time));
        assertThat(run.status()).isEqualTo(RunStatus.QUEUED);
        assertThat(RunView.of(run.state()).resumeAt()).contains(time);
        assertThat(RunExplanation.of(run.state(), List.of()).summary()).contains("queued until " + time);
        assertThat(RunSlots.waits(run.state())).isFalse();
        assertThat(StateJson.read(StateJson.write(run.state()))).isEqualTo(run.state());

        run.timer().crash();
        assertThat(run.status()).isEqualTo(RunStatus.QUEUED);
        assertThat(wakes(run)).containsExactly(time);

        run.later(NIGHT).timer();
        assertThat(run.open()).containsExactly("build.1.dev.1");
        assertThat(run.state().resumeAt()).isEmpty();
    }

    @Test
    void aRunWhoseTimeComesWaitsForASlot() {
        RunKit run = RunKit.held(Manifests.loop("maxIterations: 9"));
        run.resume(at(tonight(run))).placeFree(false).later(NIGHT).timer();
        assertThat(RunSlots.waits(run.state())).isTrue();

        run.placeFree(true).start();

        assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
    }

    @Test
    void aPausedRunResumesAtItsTimeWithTheRequestOfThePerson() {
        RunKit run = paused();
        Instant time = tonight(run);
        run.resume(new Resume(
                ResumeRequest.PLAIN.with(copy -> copy.at(Optional.of(time))).feedback("mind the tests")));
        assertThat(run.status()).isEqualTo(RunStatus.PAUSED);
        assertThat(run.paused().resumeAt()).contains(time);
        assertThat(wakes(run)).containsExactly(time);
        assertThat(StateJson.read(StateJson.write(run.state()))).isEqualTo(run.state());

        run.crash();
        assertThat(wakes(run)).containsExactly(time);
        run.later(NIGHT).timer();

        assertThat(run.lastEvent(RunResumed.class).by()).isEqualTo("operator");
        assertThat(run.lastEvent(RunResumed.class).request().feedback()).contains("mind the tests");
        assertThat(run.open()).containsExactly("build.2.dev.1");
    }

    @Test
    void anEndedRunIsQueuedUntilItsTime() {
        RunKit run =
                RunKit.started(Manifests.loop("maxIterations: 9")).stop().ends("dev", StepEnd.by(ExitCause.STOPPED));
        run.resume(at(tonight(run)));
        assertThat(run.status()).isEqualTo(RunStatus.QUEUED);

        run.later(NIGHT).timer();

        assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
        assertThat(run.state().execution()).isEqualTo(2);
    }

    @Test
    void whatAResumeNeedsIsCheckedWhenItIsRequested() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 1"))
                .ends("dev", exit(0))
                .ends("judge", signal("determination: PROGRESS"));

        run.resume(at(tonight(run)));

        assertThat(run.refused().code()).isEqualTo(RefusalCode.RESUME_PRECONDITION);
    }

    @Test
    void anotherResumeOrAStopTakesItBack() {
        RunKit resumed = paused();
        resumed.resume(at(tonight(resumed))).resume(Resume.plain());
        assertThat(resumed.status()).isEqualTo(RunStatus.RUNNING);
        RunKit started = RunKit.held(Manifests.loop("maxIterations: 9"));
        started.resume(at(tonight(started))).resume(Resume.plain());
        assertThat(started.status()).isEqualTo(RunStatus.RUNNING);
        RunKit again = paused();
        Instant morning = tonight(again).plus(NIGHT);
        again.resume(at(tonight(again))).resume(at(morning)).later(NIGHT).timer();
        assertThat(again.paused().resumeAt()).contains(morning);
        RunKit stopped = paused();
        stopped.resume(at(tonight(stopped))).stop().later(NIGHT).timer();
        assertThat(stopped.subtype()).isEqualTo("error_operator_stop");
    }

    @Test
    void aPastTimeIsNow() {
        RunKit run = paused();

        run.resume(at(run.now()));

        assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
    }

    private static RunKit pauseAt(RunKit run, Instant time) {
        return run.feed(
                new RunInput.Pause(run.now(), Optional.of("the night is over"), Optional.of(time), Optional.empty()));
    }

    @Test
    void aRunPausesAtItsTimeAlsoAfterARestart() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 9"));
        Instant time = tonight(run);
        pauseAt(run, time);
        assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
        assertThat(RunView.of(run.state()).pauseAt()).contains(time);
        assertThat(StateJson.read(StateJson.write(run.state()))).isEqualTo(run.state());
        run.crash();
        assertThat(wakes(run)).containsExactly(time);

        run.later(NIGHT).timer();
        assertThat(run.open()).hasSize(1);
        run.ends("dev", exit(0));

        assertThat(run.paused().reason()).isEqualTo(PauseReason.OPERATOR);
        assertThat(run.paused().message()).isEqualTo("the night is over");
        run.resume(Resume.plain()).timer();
        assertThat(run.open()).containsExactly("build.1.judge.1");
    }

    @Test
    void aPausePlannedForAQueuedRunHoldsAfterItsStart() {
        RunKit run = RunKit.held(Manifests.loop("maxIterations: 9"));
        Instant time = tonight(run);
        pauseAt(run, time).resume(Resume.plain());
        assertThat(wakes(run)).containsExactly(time);

        run.later(NIGHT).timer().ends("dev", exit(0));

        assertThat(run.status()).isEqualTo(RunStatus.PAUSED);
    }
}
