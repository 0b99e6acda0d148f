package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.provider;
import static dev.loopkeeper.rules.StepEnd.signal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.checkpoint.StateJson;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.run.RunEnded;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.RunWaiting;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What a run takes is the time in which it was under way: not queued, paused, waiting or over. */
class ActiveTimeTest {
    private static final Duration WORK = Duration.ofSeconds(2);
    private static final Duration NIGHT = Duration.ofHours(9);

    private static long active(RunKit run) {
        return RunView.of(run.state(), run.now()).activeMs();
    }

    private static long between(Instant from, Instant to) {
        return Duration.between(from, to).toMillis();
    }

    @Test
    void neitherQueueNorPauseNorTheTimeBetweenExecutionsCounts() {
        RunKit run = RunKit.queued(Manifests.loop("maxIterations: 1")).later(NIGHT);
        assertThat(active(run)).isZero();

        Instant begun = run.start().now();
        run.later(WORK).ends("dev", exit(0)).later(WORK).ends("judge", signal("determination: PROGRESS"));
        long first = between(begun, run.now());
        assertThat(run.subtype()).isEqualTo("error_max_turns");
        assertThat(run.lastEvent(RunEnded.class).activeMs()).isEqualTo(first);

        Instant resumed =
                run.later(NIGHT).resume(Resume.plain().feedback("go on")).now();
        run.crash().later(WORK);
        assertThat(active(run)).isEqualTo(first + between(resumed, run.now()));
        run.ends("dev", exit(0)).ends("judge", signal("determination: ANOMALY"));
        long second = first + between(resumed, run.now());
        assertThat(run.lastEvent(RunPaused.class).activeMs()).isEqualTo(second);

        run.later(NIGHT).resume(Resume.plain());
        assertThat(active(run)).isEqualTo(second);
    }

    @Test
    void theTimeInWhichNeitherARuntimeNorAnAgentRanDoesNotCount() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 1"));
        Instant begun = run.now();
        run.later(WORK);
        Instant died = run.now();
        Instant ended = died.plus(WORK);
        run.later(NIGHT).crash().reports("dev", exit(0), ended);

        assertThat(active(run)).isEqualTo(between(begun, ended));
        run.later(WORK);
        assertThat(active(run)).isEqualTo(between(begun, ended) + WORK.toMillis());
    }

    @Test
    void theTimeBetweenTwoStepsInWhichNoRuntimeRanDoesNotCount() {
        RunKit run = RunKit.started("isolation: {git: worktree}\n" + Manifests.each("{id: f1}", ""));
        Instant begun = run.now();
        run.later(WORK).ends("dev", exit(0)).ends("audit", signal("verdict: approved"));
        Instant died = run.now();
        assertThat(run.state().steps()).isEmpty();

        run.later(NIGHT).crash().later(NIGHT).crash();
        assertThat(active(run)).isEqualTo(between(begun, died));
        run.later(WORK);
        assertThat(active(run)).isEqualTo(between(begun, died) + WORK.toMillis());
    }

    @Test
    void theTimeOfAnAgentThatOutlivedItsRuntimeCounts() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 1"));
        Instant begun = run.now();
        run.later(NIGHT).crash().later(WORK).ends("dev", exit(0));

        assertThat(active(run)).isEqualTo(between(begun, run.now()));
    }

    @Test
    void whileAnotherStepOfTheTimeBeforeMayRunAllOfItCounts() {
        RunKit run = RunKit.started(
                Manifests.phases("{name: frames, each: {steps: [dev], items: [{id: f1}, {id: f2}], concurrency: 2}}"));
        Instant begun = run.now();
        Instant ended = run.later(WORK).now();
        run.later(NIGHT).crash().reports("frames.f1.dev.1", exit(0), ended);
        assertThat(active(run)).isEqualTo(between(begun, run.now()));

        run.later(WORK).ends("frames.f2.dev.1", exit(0));
        assertThat(run.lastEvent(RunEnded.class).activeMs()).isEqualTo(between(begun, run.now()));
    }

    @Test
    void aWaitForTheProviderDoesNotCount() {
        RunKit run = RunKit.started(Manifests.loop(""));
        Instant begun = run.now();
        run.later(WORK).ends("dev", provider(OptionalLong.of(240_000)));
        long before = active(run);
        assertThat(run.status()).isEqualTo(RunStatus.WAITING);
        assertThat(before).isPositive().isLessThanOrEqualTo(between(begun.minus(WORK), run.now()));
        assertThat(run.lastEvent(RunWaiting.class).activeMs()).isEqualTo(before);

        run.later(NIGHT);
        assertThat(active(run)).isEqualTo(before);
        run.timer().later(WORK);

        assertThat(active(run)).isEqualTo(before + WORK.toMillis());
    }

    @Test
    void aStopCountsUntilItIsDone() {
        RunKit run = RunKit.started(Manifests.loop("")).later(WORK).stop();
        long before = active(run);
        run.later(WORK);

        assertThat(run.status()).isEqualTo(RunStatus.STOPPING);
        assertThat(active(run)).isEqualTo(before + WORK.toMillis());
    }

    @Test
    void whatIsRecordedOfALivingRunIsShownWithTheTimeSince() {
        RunKit run = RunKit.started(Manifests.loop("")).later(WORK).ends("dev", exit(0));
        ObjectNode recorded = ViewJson.write(RunView.of(run.state()));
        run.later(WORK);

        assertThat(ViewJson.shown(recorded, run.now()))
                .isEqualTo(ViewJson.write(RunView.of(run.state(), run.now())))
                .isEqualTo(ViewJson.shown(
                        ViewJson.shown(recorded, run.now()), run.now().plus(NIGHT)));
        assertThat(ViewJson.shown(recorded, run.now()).path("activeMs").asLong())
                .isEqualTo(active(run))
                .isPositive();
        assertThat(recorded.path("activeSince").isTextual()).isTrue();
    }

    @Test
    void aClockThatWasSetBackTakesNothingAway() {
        RunKit run = RunKit.started(Manifests.loop(""));

        assertThat(RunView.of(run.state(), run.now().minus(NIGHT)).activeMs()).isZero();
    }

    @Test
    void aSnapshotRemembersIt() {
        RunKit run = RunKit.started(Manifests.loop("")).later(WORK).ends("dev", exit(0));

        assertThat(StateJson.read(StateJson.write(run.state())).active())
                .isEqualTo(run.state().active());
    }
}
