package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.RunPausing;
import dev.loopkeeper.run.RunQueued;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.StopAsked;
import dev.loopkeeper.termination.StopCause;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The events of commands say who requested them; events of the runtime's own decisions name no person. */
class EventRequesterTest {
    private static final Optional<String> ALICE = Optional.of("alice");

    private final RunKit run = RunKit.started(Manifests.loop("maxIterations: 5"));

    private RunInput resume() {
        return new RunInput.Resume(run.now(), ResumeRequest.PLAIN, false, ALICE, Optional.empty());
    }

    @Test
    void aPauseNamesWhoRequestedItWhenItIsRequestedAndWhenItBegins() {
        run.feed(new RunInput.Pause(run.now(), Optional.empty(), Optional.empty(), ALICE));
        assertThat(run.lastEvent(RunPausing.class).pause().by()).isEqualTo(ALICE);

        run.ends("dev", exit(0));

        assertThat(run.lastEvent(RunPaused.class).pause().by()).isEqualTo(ALICE);
        assertThat(run.lastEvent(RunPaused.class).text()).endsWith("(by alice)");
    }

    @Test
    void aPauseForLaterNamesWhoRequestedItWhenItBegins() {
        Instant later = run.now().plusSeconds(60);
        run.feed(new RunInput.Pause(run.now(), Optional.empty(), Optional.of(later), ALICE));

        run.later(Duration.ofMinutes(2)).timer().ends("dev", exit(0));

        assertThat(run.lastEvent(RunPaused.class).pause().by()).isEqualTo(ALICE);
    }

    @Test
    void aResumeNamesWhoRequestedItAlsoAfterAWaitForASlot() {
        run.pause().ends("dev", exit(0)).placeFree(false).feed(resume());
        assertThat(run.lastEvent(RunQueued.class).by()).isEqualTo("alice");

        run.placeFree(true).start();

        assertThat(run.lastEvent(RunResumed.class).by()).isEqualTo("alice");
    }

    @Test
    void aResumeOfAnEndedRunNamesWhoRequestedIt() {
        run.pause().ends("dev", exit(0)).stop().feed(resume());

        assertThat(run.lastEvent(RunResumed.class).by()).isEqualTo("alice");
    }

    @Test
    void aStopAndAnEndNameWhoRequestedThem() {
        run.feed(new RunInput.Stop(run.now(), StopCause.OPERATOR, Optional.empty(), false, ALICE));
        assertThat(run.lastEvent(StopAsked.class).by()).isEqualTo(ALICE);
        assertThat(run.lastEvent(StopAsked.class).text()).startsWith("stop, operator by alice: ");

        run.feed(new RunInput.End(run.now(), "halted", "the office closes", Optional.empty(), Optional.of("bob")));
        assertThat(run.lastEvent(StopAsked.class).by()).contains("bob");
    }

    @Test
    void aStopOfTheRuntimeNamesNoPerson() {
        run.stop(StopCause.SIGNAL, false);

        assertThat(run.lastEvent(StopAsked.class).by()).isEmpty();
    }
}
