package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.lasting;
import static dev.loopkeeper.rules.StepEnd.provider;
import static dev.loopkeeper.rules.StepEnd.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.step.RetryTimes;
import dev.loopkeeper.termination.PauseReason;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What people and crashes do to a run that climbs the ladder. */
class LadderUnderFireTest {
    private static final StepEnd BUSY = provider(OptionalLong.empty());
    private static final StepEnd IN_AN_HOUR = provider(OptionalLong.of(3_600_000));
    private static final StepEnd IN_TWO_HOURS = provider(OptionalLong.of(7_200_000));

    private static RunKit run(String transientKeys) {
        return RunKit.started("retry: {backoff: {initial: 2s, max: 1h, jitter: 0}, transient: {" + transientKeys
                + "}}\n" + Manifests.loop("maxIterations: 5"));
    }

    private static Instant due(RunKit run) {
        assertThat(run.status()).isEqualTo(RunStatus.WAITING);
        return ((Condition.Waiting) run.state().condition()).resumeAt().orElseThrow();
    }

    @Test
    void aRestartWhileItWaitsChangesNothingButTheAlarm() {
        RunKit run = run("max: 1").ends("dev", IN_AN_HOUR);
        Instant due = due(run);

        run.later(Duration.ofMinutes(1)).crash();

        assertThat(due(run)).isEqualTo(due);
        assertThat(run.commands(RunCommand.WakeAt.class)).containsExactly(new RunCommand.WakeAt(due));
        assertThat(run.types()).isEmpty();
    }

    @Test
    void aRestartAfterItWasDueLaunchesAtOnceAndOnce() {
        RunKit run =
                run("max: 1").ends("dev", IN_AN_HOUR).later(Duration.ofHours(2)).crash();
        assertThat(run.open()).containsExactly("build.1.dev.1-2");
        assertThat(run.commands(RunCommand.Launch.class)).hasSize(1);

        run.timer().crash();

        assertThat(run.open()).containsExactly("build.1.dev.1-2");
    }

    @Test
    void aRestartForgetsNeitherTriesNorFallbacks() {
        RunKit run = run("max: 1")
                .ends("dev", BUSY)
                .crash()
                .later(Duration.ofMinutes(1))
                .timer()
                .crash()
                .ends("dev", BUSY)
                .crash();
        assertThat(run.open()).containsExactly("build.1.cheap.1");

        run.ends("cheap", BUSY).later(Duration.ofMinutes(1)).crash().ends("cheap", BUSY);

        assertThat(run.paused().reason()).isEqualTo(PauseReason.PROVIDER_UNAVAILABLE);
    }

    @Test
    void aStopWhileItWaitsEndsItAtOnceAndLateAlarmsDoNothing() {
        RunKit run = run("max: 1").ends("dev", IN_AN_HOUR).stop();
        assertThat(run.subtype()).isEqualTo("error_operator_stop");
        assertThat(run.state().retries()).isEmpty();

        run.later(Duration.ofHours(2)).timer();

        assertThat(run.open()).isEmpty();
        run.resume(Resume.plain());
        assertThat(run.open()).containsExactly("build.1.dev.1-2");
    }

    @Test
    void feedbackWhileItWaitsReachesTheStepThatIsLaunchedAtOnce() {
        RunKit run = run("max: 1").ends("dev", IN_AN_HOUR).resume(Resume.plain().feedback("use the other key"));

        assertThat(run.open()).containsExactly("build.1.dev.1-2");
        assertThat(run.launched().feedback()).isEqualTo("use the other key");
    }

    @Test
    void aPauseWhileItWaitsHoldsAndTheOldAlarmDoesNotBreakIt() {
        RunKit run = run("max: 1").ends("dev", IN_AN_HOUR).pause();
        assertThat(run.paused().reason()).isEqualTo(PauseReason.OPERATOR);

        run.later(Duration.ofHours(2)).timer().crash().timer();

        assertThat(run.status()).isEqualTo(RunStatus.PAUSED);
        assertThat(run.resume(Resume.plain()).open()).containsExactly("build.1.dev.1-2");
    }

    @Test
    void thePauseRemembersWhenTheFirstOfItsProvidersIsBack() {
        RunKit run = run("max: 0").ends("dev", IN_TWO_HOURS);
        Instant back = run.now().plusSeconds(7200);

        run.crash().ends("cheap", BUSY);

        assertThat(run.paused().resumeAt()).contains(back);
        run = run("max: 0").ends("dev", IN_TWO_HOURS).ends("cheap", provider(OptionalLong.of(5_400_000)));
        assertThat(run.paused().resumeAt()).contains(run.now().plusSeconds(5400));
    }

    @Test
    void aTimerThatResumesAPauseBeginsWithTheAgentOfThePlace() {
        RunKit run = run("max: 0")
                .ends("dev", IN_TWO_HOURS)
                .ends("cheap", BUSY)
                .later(Duration.ofHours(3))
                .timer();

        assertThat(run.open()).containsExactly("build.1.dev.1-2");
        assertThat(run.ends("dev", exit(0)).open()).containsExactly("build.1.judge.1");
    }

    @Test
    void aDelayBeyondBeliefIsCutAndBreaksNothing() {
        RunKit run = run("max: 1").ends("dev", provider(OptionalLong.of(Long.MAX_VALUE)));
        assertThat(run.open()).containsExactly("build.1.cheap.1");

        run = run("max: 0").ends("dev", BUSY).ends("cheap", provider(OptionalLong.of(Long.MAX_VALUE)));
        assertThat(run.paused().resumeAt()).contains(run.now().plus(RetryTimes.FARTHEST));
    }

    @Test
    void theKindOfASignalsErrorSaysWhetherItPasses() {
        assertThat(afterAnErrorOfTheJudge("kind: rate-limit, retryAfterMs: 5000")
                        .status())
                .isEqualTo(RunStatus.WAITING);
        assertThat(afterAnErrorOfTheJudge("kind: rate-limit, isTransient: false")
                        .status())
                .isNotEqualTo(RunStatus.WAITING);
        assertThat(afterAnErrorOfTheJudge("kind: auth").subtype()).isEqualTo("error_provider_auth");
        assertThat(afterAnErrorOfTheJudge("kind: something-else").status()).isEqualTo(RunStatus.RUNNING);
    }

    private static RunKit afterAnErrorOfTheJudge(String error) {
        return run("max: 1")
                .ends("dev", exit(0))
                .ends("judge", signal("determination: PROGRESS, error: {message: m, " + error + "}"));
    }

    @Test
    void anErrorThatPassesAndThenOneThatDoesNot() {
        RunKit run = run("max: 3")
                .ends("dev", BUSY)
                .later(Duration.ofMinutes(1))
                .timer()
                .ends("dev", lasting("error_provider_auth", "auth"));

        assertThat(run.subtype()).isEqualTo("error_provider_auth");
        assertThat(run.resume(Resume.plain().acknowledge()).open()).containsExactly("build.1.dev.1-3");
        run.ends("dev", BUSY);
        assertThat(due(run)).isEqualTo(run.now().plusSeconds(2));
    }
}
