package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.provider;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.checkpoint.StateJson;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunQueued;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.StopCause;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run that may continue while others have all the places. */
class WithoutSlotTest {
    private static final String LOOP = Manifests.loop("maxIterations: 5");

    /** The first word is where the run rested when it was asked to continue. */
    @ParameterizedTest(name = "{1} when queued after {0}")
    @CsvSource(delimiter = '|', textBlock = """
            pause  | Start   | nothing
            pause  | Recover | nothing
            pause  | Timer   | nothing
            pause  | Resume  | nothing
            pause  | Pause   | not-pausable
            pause  | Stop    | stop terminal-exhaustion run.ended
            pause  | Broken  | terminal-exhaustion run.ended
            ending | Start   | nothing
            ending | Recover | nothing
            ending | Timer   | nothing
            ending | Resume  | nothing
            ending | Pause   | not-pausable
            ending | Stop    | run.resumed stop terminal-exhaustion run.ended
            ending | Broken  | run.resumed terminal-exhaustion run.ended
            """)
    void whatComesWhileARunWaitsIsDecided(String rest, String input, String expected) {
        RunKit run = waiting(rest).feed(input(input, RunKit.BEGIN.plusSeconds(60)));

        assertThat(run.last().late()).isEmpty();
        assertThat(run.last().commands()).isEmpty();
        String refused =
                run.last().refusal().map(refusal -> refusal.code().wire()).orElse("nothing");
        assertThat(run.types().isEmpty() ? refused : String.join(" ", run.types()))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"pause", "ending"})
    void aPauseIsRefusedWithWhatMayBeDoneInstead(String rest) {
        RunKit run = waiting(rest);

        assertThat(run.pause().refused().message())
                .isEqualTo("run " + run.state().runId() + " is queued; stop it to remove it from the queue");
    }

    private static RunKit resting(String rest) {
        RunKit run = RunKit.started(LOOP);
        return rest.equals("pause")
                ? run.pause().ends("dev", exit(0)).placeFree(false)
                : run.stop().ends("dev", exit(0)).placeFree(false);
    }

    private static RunKit waiting(String rest) {
        return resting(rest).resume(Resume.plain());
    }

    private static RunInput input(String name, Instant at) {
        return switch (name) {
            case "Start" -> new RunInput.Start(at);
            case "Recover" -> new RunInput.Recover(at);
            case "Timer" -> new RunInput.TimerDue(at);
            case "Resume" -> new RunInput.Resume(at, ResumeRequest.PLAIN);
            case "Pause" -> new RunInput.Pause(at, Optional.empty());
            case "Stop" -> new RunInput.Stop(at, StopCause.OPERATOR, Optional.empty(), false);
            default -> new RunInput.Broken(at, "no space left on device");
        };
    }

    @ParameterizedTest
    @CsvSource({"pause, 1", "ending, 2"})
    void aResumeWaitsForASlotAndContinues(String rest, int execution) {
        RunKit run = waiting(rest);
        assertThat(run.types()).containsExactly("run.queued");
        assertThat(run.status()).isEqualTo(RunStatus.QUEUED);

        run.placeFree(true).start();

        assertThat(run.types()).containsExactly("run.resumed", "step.started");
        assertThat(run.state().execution()).isEqualTo(execution);
        assertThat(run.count("run.started")).isOne();
    }

    @ParameterizedTest
    @CsvSource({"pause", "ending"})
    void whatWasRequestedIsKeptAlsoByASnapshot(String rest) {
        RunKit run = resting(rest).resume(Resume.plain().feedback("faster").costUsd(7));
        assertThat(StateJson.read(StateJson.write(run.state()))).isEqualTo(run.state());
        assertThat(run.state().limits().budget().costUsd()).isEmpty();

        run.crash().placeFree(true).start();

        assertThat(run.launched().feedback()).isEqualTo("faster");
        assertThat(run.state().limits().budget().costUsd()).hasValue(7);
    }

    @Test
    void theActionThatWasChosenIsExecutedLater() {
        RunKit run = resting("pause").resume(Resume.with(ResumeAction.FINISH_LOOP));
        assertThat(run.status()).isEqualTo(RunStatus.QUEUED);

        assertThat(run.placeFree(true).start().subtype()).isEqualTo("stop");
    }

    @Test
    void aLaterResumeReplacesWhatWasRequestedUnlessItIsPlain() {
        RunKit run = resting("pause")
                .resume(Resume.plain().feedback("first"))
                .resume(Resume.plain().feedback("second"))
                .resume(Resume.plain());

        assertThat(run.placeFree(true).resume(Resume.plain()).launched().feedback())
                .isEqualTo("second");
    }

    @Test
    void aResumeThatWouldBeRefusedIsRefusedAtOnce() {
        assertThat(resting("pause")
                        .resume(Resume.with(ResumeAction.RETRY_ITERATION))
                        .refused()
                        .code())
                .isEqualTo(RefusalCode.ACTION_NOT_ALLOWED);
        assertThat(waiting("pause")
                        .resume(Resume.with(ResumeAction.RETRY_ITERATION))
                        .refused()
                        .code())
                .isEqualTo(RefusalCode.ACTION_NOT_ALLOWED);
    }

    @Test
    void toStopInAPauseNeedsNoSlot() {
        assertThat(resting("pause")
                        .resume(Resume.with(ResumeAction.STOP_LOOP_NOW))
                        .subtype())
                .isEqualTo("error_operator_stop");
    }

    @Test
    void aStopWhileWaitingEndsAnExecutionOfItsOwn() {
        RunKit run = waiting("ending").stop();

        assertThat(run.state().executions()).hasSize(2);
        assertThat(run.count("run.ended")).isEqualTo(2);
        assertThat(run.placeFree(true).resume(Resume.plain()).status()).isEqualTo(RunStatus.RUNNING);
    }

    @Test
    void aStopWhileWaitingStillEndsTheSurvivorsOfThePause() {
        RunKit run = RunKit.started(LOOP)
                .ends("dev", exit(0).leaving("12 sleeper"))
                .placeFree(false)
                .resume(Resume.plain())
                .stop();

        assertThat(run.commands(RunCommand.Sweep.class)).hasSize(1);
        assertThat(run.swept().subtype()).isEqualTo("error_operator_stop");
    }

    @Test
    void aRunWithoutASlotIsReportedAsQueuedOnce() {
        RunKit run = RunKit.queued(LOOP)
                .placeFree(false)
                .later(Duration.ofSeconds(5))
                .start();
        assertThat(run.types()).containsExactly("run.queued");
        assertThat(run.lastEvent(RunQueued.class))
                .isEqualTo(new RunQueued(
                        "submit",
                        ResumeAction.CONTINUE,
                        ResumeRequest.PLAIN,
                        Optional.of(run.state().createdAt())));

        assertThat(run.start().types()).isEmpty();
        assertThat(run.resume(Resume.plain()).types()).isEmpty();
        assertThat(run.crash().placeFree(true).start().types()).startsWith("run.started", "phase.started");
        assertThat(run.count("run.resumed")).isZero();
    }

    @Test
    void aRunThatWasNotToStartWaitsOnceItIsResumed() {
        RunKit run = RunKit.queued(LOOP).placeFree(false).resume(Resume.plain().feedback("go"));
        assertThat(run.types()).containsExactly("run.queued");

        run.placeFree(true).start();

        assertThat(run.types()).startsWith("run.started", "run.resumed");
        assertThat(run.launched().feedback()).isEqualTo("go");
    }

    @Test
    void resumingAQueuedRunChangesNothing() {
        assertThat(RunKit.queued(LOOP).placeFree(false).resume(Resume.plain()).types())
                .isEmpty();
    }

    @Test
    void aRunThatWaitsForARetryKeepsItsSlot() {
        RunKit run = RunKit.started(LOOP).ends("dev", provider(OptionalLong.of(60_000)));
        assertThat(run.status()).isEqualTo(RunStatus.WAITING);

        run.placeFree(false).later(Duration.ofMinutes(2)).timer();

        assertThat(run.types()).containsExactly("step.started");
    }

    @Test
    void aRunWhoseProviderIsBackWaitsForASlot() {
        RunKit run = RunKit.started("retry: {transient: {max: 0}}\n" + LOOP);
        StepEnd away = StepEnd.window(RunKit.BEGIN.plusSeconds(60));
        run.ends("dev", away).ends("cheap", away);
        assertThat(run.paused().resumeAt()).isPresent();

        run.placeFree(false).later(Duration.ofMinutes(2)).timer();
        assertThat(run.lastEvent(RunQueued.class).by()).isEqualTo("timer");
        assertThat(run.count("run.resumed")).isZero();
        assertThat(run.status()).isEqualTo(RunStatus.QUEUED);

        run.placeFree(true).start();
        assertThat(run.lastEvent(RunResumed.class).by()).isEqualTo("timer");
        assertThat(run.open()).hasSize(1);
    }
}
