package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.provider;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.termination.ResumeAction;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A launch that requires a permit. */
class LaunchPermitsTest {
    private static final Optional<Instant> UNKNOWN = Optional.empty();
    private static final String LOOP = Manifests.loop("maxIterations: 5");

    @Test
    void aGuardedLaunchAsksFirst() {
        RunKit run = RunKit.asking(LOOP);

        assertThat(run.open()).isEmpty();
        assertThat(run.asked()).containsExactly("loop/build/1//0");

        run.permitted();
        assertThat(run.types()).containsExactly("step.started");
        assertThat(run.asked()).isEmpty();
    }

    @Test
    void aHeldRunWaitsAndSpendsNothing() {
        RunKit run = RunKit.asking(LOOP).held(UNKNOWN);
        long active = run.state().active().until(run.now());

        run.later(Duration.ofHours(3)).crash();

        assertThat(run.state().status()).isEqualTo(RunStatus.WAITING);
        assertThat(run.state().active().until(run.now())).isEqualTo(active);
        assertThat(run.state().ledger().statistics().totalAttempts()).isZero();
        assertThat(run.asked()).hasSize(1);
    }

    @Test
    void aWaitIsRecordedOnceUntilItsTimeChanges() {
        RunKit run = RunKit.asking(LOOP).held(UNKNOWN).held(UNKNOWN);
        assertThat(run.types()).isEmpty();

        run.held(Optional.of(run.now().plusSeconds(60)));

        assertThat(run.types()).containsExactly("run.waiting");
    }

    @Test
    void theViewSaysWhatIsWaitedFor() {
        RunKit run = RunKit.asking(LOOP).held(UNKNOWN);

        assertThat(ViewJson.write(RunView.of(run.state(), run.now()))
                        .path("waiting")
                        .toString())
                .isEqualTo("{\"reason\":\"pool\",\"detail\":\"shared\",\"message\":\"waits for pool shared\","
                        + "\"resumeAt\":null}");
    }

    @Test
    void stopPauseAndEndHoldAtOnce() {
        assertThat(RunKit.asking(LOOP).held(UNKNOWN).stop().state().status()).isEqualTo(RunStatus.STOPPED);
        assertThat(RunKit.asking(LOOP)
                        .held(UNKNOWN)
                        .end("halted", "over")
                        .state()
                        .status())
                .isEqualTo(RunStatus.FAILED);
        assertThat(RunKit.asking(LOOP).held(UNKNOWN).pause().state().status()).isEqualTo(RunStatus.PAUSED);
    }

    @Test
    void anUnansweredRequestKeepsNoStopWaiting() {
        assertThat(RunKit.asking(LOOP).stop().state().status()).isEqualTo(RunStatus.STOPPED);
        assertThat(RunKit.asking(LOOP).pause().state().status()).isEqualTo(RunStatus.PAUSED);
    }

    @Test
    void aPermitOfAPausedRunLaunchesNothing() {
        RunKit run = RunKit.asking(LOOP).held(UNKNOWN).pause();

        run.feed(new RunInput.Permitted(run.now(), Set.of("loop/build/1//0")));

        assertThat(run.open()).isEmpty();
    }

    @Test
    void aHeldRetryIsNoTryOfTheLadder() {
        RunKit run = RunKit.asking(LOOP).permitted().ends("dev", provider(OptionalLong.of(60_000)));
        run.later(Duration.ofMinutes(2)).timer();
        assertThat(run.asked()).hasSize(1);
        run.held(UNKNOWN);

        run.later(Duration.ofHours(1)).timer();
        assertThat(run.types()).isEmpty();
        assertThat(run.state().retries().values()).allMatch(retry -> retry.tries() == 1 && retry.waiting());

        run.permitted();
        assertThat(run.types()).containsExactly("step.started");
    }

    @Test
    void eachItemRequestsItself() {
        String two = Manifests.each("{id: a}, {id: b}", "concurrency: 2");
        RunKit run = RunKit.asking(two);
        assertThat(run.asked()).containsExactly("item/frames//a/0", "item/frames//b/0");

        run.feed(new RunInput.Permitted(run.now(), Set.of("item/frames//b/0")));

        assertThat(run.open()).containsExactly("frames.b.dev.1");
        run.held(UNKNOWN);
        assertThat(run.state().status()).isEqualTo(RunStatus.RUNNING);
    }

    @Test
    void aConsultedAgentWaitsToo() {
        String consults = Manifests.phases("{name: build, loop: {steps: [dev], maxIterations: 5, pauseEvery: 1}}");
        RunKit run = RunKit.started(consults).ends("dev", exit(0)).guarded("architect");
        run.resume(Resume.with(ResumeAction.REFINE_PLAN));
        assertThat(run.asked()).hasSize(1);

        run.held(UNKNOWN);
        assertThat(run.state().status()).isEqualTo(RunStatus.WAITING);
        run.crash();
        run.permitted();

        assertThat(run.open()).hasSize(1);
    }

    @Test
    void withoutItsGateTheRunContinues() {
        RunKit run = RunKit.asking(LOOP).held(UNKNOWN);

        run.guarded().timer();

        assertThat(run.types()).containsExactly("step.started");
    }
}
