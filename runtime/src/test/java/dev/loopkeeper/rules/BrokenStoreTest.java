package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepStatus;
import dev.loopkeeper.termination.StopCause;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A store that refused events while a step ended, or while a stop was requested. */
class BrokenStoreTest {
    private static RunKit running() {
        return RunKit.started(Manifests.loop("maxIterations: 5"));
    }

    private static RunInput.Broken broken(Instant at) {
        return new RunInput.Broken(at, "no space left on device");
    }

    private static RunInput.Stop stop(Instant at, boolean now) {
        return new RunInput.Stop(at, StopCause.OPERATOR, Optional.of("asked to"), now);
    }

    /** The run ended as failed and listed no other reason; no event of the stop was recorded. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aStopThatCouldNotBeRecordedStillWins(boolean stepOpen) {
        RunKit run = stepOpen ? running() : RunKit.queued(Manifests.loop("maxIterations: 5"));

        run.feed(broken(run.now()).joined(stop(run.now(), false)).orElseThrow());
        assertThat(run.types()).startsWith("stop");
        if (stepOpen) {
            run.ends("dev", exit(0));
        }

        assertThat(run.subtype()).isEqualTo("error_operator_stop");
        assertThat(run.ended().summary()).isEqualTo("asked to");
        assertThat(run.ended().alsoTriggered()).containsExactly("infrastructure");
    }

    @Test
    void aSecondStopIsMergedIntoTheFirst() {
        Instant at = Instant.EPOCH;
        RunInput both = broken(at)
                .joined(stop(at.plusSeconds(1), false))
                .flatMap(one -> one.joined(stop(at.plusSeconds(2), true)))
                .orElseThrow();

        assertThat(both)
                .isEqualTo(new RunInput.Broken(
                        at.plusSeconds(2), "no space left on device", Optional.of(stop(at.plusSeconds(1), true))));
        assertThat(broken(at).joined(broken(at))).isEmpty();
    }

    /** It was launched again although it stood as completed. */
    @ParameterizedTest
    @EnumSource(names = {"EXITED", "VANISHED", "RUNTIME_DIED", "TIMEOUT", "IDLE"})
    void aStepWithAValidSignalIsNotLaunchedAgainAfterTheStop(ExitCause end) {
        RunKit run = running().ends("dev", exit(0));
        run.feed(broken(run.now()));
        run.ends("judge", signal("determination: PROGRESS").causedBy(end));
        assertThat(run.lastEvent(StepFinished.class).result().status()).isEqualTo(StepStatus.COMPLETED);

        run.resume(Resume.plain().acknowledge());

        assertThat(run.open()).containsExactly("build.2.dev.1");
    }
}
