package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.lasting;
import static dev.loopkeeper.rules.StepEnd.provider;
import static dev.loopkeeper.rules.StepEnd.signal;
import static dev.loopkeeper.rules.StepEnd.window;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.checkpoint.RunExplanation;
import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepResult;
import dev.loopkeeper.step.StepStatus;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.verdict.SignalDetail;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecoveryLadderTest {
    private static final StepEnd OVERLOADED = provider(OptionalLong.empty());

    private static RunKit run(String transientKeys) {
        return RunKit.started("retry: {backoff: {initial: 2s, jitter: 0}, transient: {" + transientKeys + "}}\n"
                + Manifests.loop("maxIterations: 5"));
    }

    private static Instant due(RunKit run) {
        assertThat(run.status()).isEqualTo(RunStatus.WAITING);
        return ((Condition.Waiting) run.state().condition()).resumeAt().orElseThrow();
    }

    @Test
    void theSameAgentIsTriedAgainAfterAGrowingDelay() {
        RunKit run = run("max: 3").ends("dev", OVERLOADED);
        assertThat(due(run)).isEqualTo(run.now().plusSeconds(2));
        assertThat(run.types()).contains("step.retrying", "run.waiting");
        assertThat(run.commands(RunCommand.WakeAt.class)).containsExactly(new RunCommand.WakeAt(due(run)));

        run.later(Duration.ofSeconds(5)).timer().ends("dev", OVERLOADED);

        assertThat(due(run)).isEqualTo(run.now().plusSeconds(4));
    }

    @Test
    void aKindOfErrorHasItsOwnFirstDelayWhereTheManifestSaysNothing() {
        RunKit run = RunKit.started("retry: {backoff: {jitter: 0}}\n" + Manifests.loop("maxIterations: 5"))
                .ends("dev", OVERLOADED);

        assertThat(due(run)).isEqualTo(run.now().plusSeconds(30));
    }

    @Test
    void aStatedDelayWins() {
        RunKit run = run("max: 3").ends("dev", provider(OptionalLong.of(42_000)));

        assertThat(due(run)).isEqualTo(run.now().plusSeconds(42));
    }

    /** With the default back-off: a rate limit waits 60 s, then twice as long. */
    @Test
    void aTinyStatedDelayDoesNotUseUpTheLadderInABlink() {
        RunKit run = RunKit.started("""
                name: demo
                agents: {dev: {command: [dev]}}
                retry: {backoff: {jitter: 0}}
                phases: [{name: plan, task: dev}]
                """);
        List<Long> waits = new ArrayList<>();
        while (!run.open().isEmpty()) {
            run.ends("dev", provider("rate-limit", OptionalLong.of(6)));
            if (run.status() == RunStatus.WAITING) {
                waits.add(Duration.between(run.now(), due(run)).toSeconds());
                run.later(Duration.between(run.now(), due(run))).timer();
            }
        }

        assertThat(waits).containsExactly(60L, 120L, 240L, 300L, 300L, 300L, 300L, 300L);
        assertThat(run.paused().reason()).isEqualTo(PauseReason.PROVIDER_UNAVAILABLE);
        assertThat(run.paused().resumeAt()).isEmpty();
    }

    /** Seconds stated and seconds waited, with a ladder of 2 s and at most 60 s. */
    @ParameterizedTest(name = "{0} states {1} s: waits {2} s")
    @CsvSource({
        "rate-limit, 0, 2",
        "rate-limit, 1, 2",
        "rate-limit, 3, 3",
        "rate-limit, 60, 60",
        "rate-limit, 3600, 3600",
        "usage-window, 1, 2",
        "usage-window, 30, 30",
        "usage-window, 7200, 7200",
    })
    void aStatedDelayIsTheBackOffWhereItIsLonger(String kind, int stated, int waited) {
        RunKit run = RunKit.started("""
                        name: demo
                        agents: {dev: {command: [dev]}}
                        retry: {backoff: {initial: 2s, max: 60s, jitter: 0}}
                        phases: [{name: plan, task: dev}]
                        """).ends("dev", provider(kind, OptionalLong.of(stated * 1000L)));

        assertThat(due(run)).isEqualTo(run.now().plusSeconds(waited));
    }

    /** It showed the provider's raw line, with a time as seconds of the epoch. */
    @Test
    void aRunThatWaitsForAUsageWindowSaysSoInWords() {
        RunKit run = run("max: 3").ends("dev", window(Instant.parse("2026-11-20T14:00:00Z")));

        assertThat(RunView.of(run.state()).waiting().orElseThrow().message()).isEqualTo("usage limit of dev");
        assertThat(RunExplanation.of(run.state(), List.of()).summary())
                .isEqualTo("waiting until " + due(run) + " (usage limit of dev), then resumes automatically");
    }

    /** With no try left: only what is longer than a back-off, or a usage window, says when the run resumes. */
    @ParameterizedTest(name = "{0} states {1} s: resumes after {2} s")
    @CsvSource({
        "rate-limit, 1,",
        "rate-limit, 60,",
        "rate-limit, 61, 61",
        "usage-window, 0, 2",
        "usage-window, 30, 30",
        "usage-window, 7200, 7200",
        "overloaded,,",
    })
    void onlyAWindowsResetOrALongerDelayIsATimeToResumeAt(String kind, Long stated, Long resumes) {
        RunKit run = RunKit.started("""
                        name: demo
                        agents: {dev: {command: [dev]}}
                        retry: {backoff: {initial: 2s, max: 60s, jitter: 0}, transient: {max: 0}}
                        phases: [{name: plan, task: dev}]
                        """)
                .ends("dev", provider(kind, stated == null ? OptionalLong.empty() : OptionalLong.of(stated * 1000)));

        assertThat(run.paused().resumeAt())
                .isEqualTo(Optional.ofNullable(resumes).map(wait -> run.now().plusSeconds(wait)));
    }

    @Test
    void aTimerThatRingsEarlyIsSetAgain() {
        RunKit run =
                run("max: 3").ends("dev", provider(OptionalLong.of(42_000))).timer();

        assertThat(run.types()).isEmpty();
        assertThat(run.commands(RunCommand.WakeAt.class)).containsExactly(new RunCommand.WakeAt(due(run)));
    }

    @Test
    void aRetryCountsInTotalAttemptsOnly() {
        RunKit run = run("max: 3")
                .ends("dev", OVERLOADED)
                .later(Duration.ofMinutes(1))
                .timer();

        assertThat(run.open()).containsExactly("build.1.dev.1-2");
        assertThat(run.state().ledger().statistics().totalAttempts()).isEqualTo(2);
        assertThat(run.state().ledger().statistics().consecutiveFails()).isZero();
    }

    @Test
    void thenTheFallbackIsTriedAtOnce() {
        RunKit run = run("max: 0").ends("dev", OVERLOADED);

        assertThat(run.open()).containsExactly("build.1.cheap.1");
    }

    @Test
    void thenTheRunPausesUntilTheProviderIsBackAndResumes() {
        Instant back = RunKit.BEGIN.plusSeconds(3600);
        RunKit run = run("max: 0").ends("dev", OVERLOADED).ends("cheap", OVERLOADED.backAt(back));

        assertThat(run.paused().reason()).isEqualTo(PauseReason.PROVIDER_UNAVAILABLE);
        assertThat(run.paused().resumeAt()).contains(back);
        assertThat(run.commands(RunCommand.WakeAt.class)).containsExactly(new RunCommand.WakeAt(back));
        run.crash();
        assertThat(run.commands(RunCommand.WakeAt.class)).containsExactly(new RunCommand.WakeAt(back));
        run.later(Duration.ofHours(2)).timer();
        assertThat(run.open()).containsExactly("build.1.dev.1-2");
        assertThat(run.lastEvent(RunResumed.class).by()).isEqualTo("timer");
    }

    @Test
    void aResetTimeThatHasPassedDoesNotMakeTheRunSpin() {
        RunKit run = run("max: 0").ends("dev", OVERLOADED).ends("cheap", window(RunKit.BEGIN));

        assertThat(run.paused().resumeAt().orElseThrow()).isAfter(run.now());
    }

    /** On a machine in use the run was left to a person: the provider was back by the time its step was decided. */
    @Test
    void usesAResetTimeThatPassedBeforeTheDecision() {
        RunKit run = RunKit.started("""
                name: demo
                agents: {dev: {command: [dev]}}
                retry: {backoff: {initial: 10ms, max: 50ms}, transient: {max: 0}}
                phases: [{name: build, loop: {steps: [dev]}}]
                """);

        run.endsLate("dev", OVERLOADED.backAt(run.now().plusSeconds(2)), Duration.ofSeconds(5));

        assertThat(run.paused().resumeAt().orElseThrow()).isAfter(run.now());
        assertThat(run.later(Duration.ofSeconds(1)).timer().open()).containsExactly("build.1.dev.1-2");
    }

    /** Whether each wait is a pause that ends automatically or one of the step's own tries. */
    @ParameterizedTest
    @ValueSource(ints = {0, 8})
    void resumesAutomaticallyUntilTheLimitSinceAPersonResumedTheRun(int tries) {
        RunKit run = RunKit.started("""
                name: demo
                agents: {dev: {command: [dev]}}
                retry: {backoff: {initial: 2s, jitter: 0}, transient: {max: %d, automatic: 2}}
                phases: [{name: build, loop: {steps: [dev], maxIterations: 9}}]
                """.formatted(tries));
        for (int i = 0; i < 2; i++) {
            run.ends("dev", OVERLOADED.backAt(run.now().plusSeconds(3600)))
                    .later(Duration.ofHours(2))
                    .timer()
                    .ends("dev", exit(0));
        }

        run.ends("dev", OVERLOADED.backAt(run.now().plusSeconds(3600)));
        assertThat(run.paused().resumeAt()).isEmpty();
        assertThat(run.paused().message()).contains("2 times").contains("retry.transient.automatic");

        run.resume(Resume.plain()).ends("dev", OVERLOADED.backAt(run.now().plusSeconds(3600)));
        assertThat(run.state().resumeAt()).isPresent();
    }

    @Test
    void waitNeverLeavesTheRunToAPerson() {
        RunKit run = run("max: 0, wait: never")
                .ends("dev", OVERLOADED)
                .ends("cheap", OVERLOADED.backAt(RunKit.BEGIN.plusSeconds(3600)));

        assertThat(run.paused().resumeAt()).isEmpty();
        run.later(Duration.ofHours(2)).timer();
        assertThat(run.status()).isEqualTo(RunStatus.PAUSED);
    }

    @Test
    void successResetsTheLadder() {
        RunKit run = run("max: 1")
                .ends("dev", OVERLOADED)
                .later(Duration.ofMinutes(1))
                .timer()
                .ends("dev", exit(0));

        assertThat(run.state().retries()).isEmpty();
        run.ends("judge", OVERLOADED);
        assertThat(due(run)).isEqualTo(run.now().plusSeconds(2));
    }

    @Test
    void aResumeTriesAtOnce() {
        RunKit run =
                run("max: 3").ends("dev", provider(OptionalLong.of(60_000))).resume(Resume.plain());

        assertThat(run.open()).containsExactly("build.1.dev.1-2");
    }

    /** An agent alone, whose provider is asked again at most twice. */
    private static RunKit alone(String keys) {
        return RunKit.started("""
                name: demo
                agents: {dev: {command: [dev]}}
                retry: {backoff: {initial: 2s, jitter: 0}, transient: {max: 2}%s}
                phases: [{name: build, loop: {steps: [dev], maxIterations: 5}}]
                """.formatted(keys));
    }

    /** The run continues automatically as long as it would, its agent failing so each time; at most a hundred times. */
    private static RunKit failingForHours(RunKit run, Function<Instant, StepEnd> failing) {
        for (int i = 0; i < 100 && (!run.open().isEmpty() || continues(run)); i++) {
            if (run.open().isEmpty()) {
                run.later(Duration.ofHours(3)).crash().timer();
            } else {
                run.ends(run.open().get(0), failing.apply(run.now()));
            }
        }
        return run;
    }

    private static boolean continues(RunKit run) {
        return run.status() == RunStatus.WAITING
                || (run.status() == RunStatus.PAUSED && run.paused().resumeAt().isPresent());
    }

    @Test
    void aStatedDelayOfSecondsEndsTheLadderWithAPerson() {
        RunKit run = failingForHours(alone(""), now -> provider(OptionalLong.of(2_500)));

        assertThat(run.count("step.started")).isEqualTo(3);
        assertThat(run.count("run.paused")).isEqualTo(1);
        assertThat(run.count("run.resumed")).isZero();
        assertThat(run.paused().reason()).isEqualTo(PauseReason.PROVIDER_UNAVAILABLE);
        assertThat(run.paused().resumeAt()).isEmpty();
        assertThat(run.state().ledger().statistics().totalAttempts()).isEqualTo(3);
    }

    @Test
    void limitsTheResumesAfterAProvidersResetTimes() {
        RunKit run = failingForHours(alone(""), now -> window(now.plus(Duration.ofHours(2))));

        assertThat(run.count("run.resumed")).isEqualTo(2);
        assertThat(run.count("step.started")).isEqualTo(5);
        assertThat(run.state().ledger().statistics().totalAttempts()).isEqualTo(5);
        assertThat(run.paused().resumeAt()).isEmpty();
    }

    @Test
    void withoutRetriesTheRunResumesAutomaticallyOnce() {
        RunKit run = failingForHours(RunKit.started("""
                        name: demo
                        agents: {dev: {command: [dev]}}
                        retry: {transient: {max: 0}}
                        phases: [{name: build, loop: {steps: [dev]}}]
                        """), now -> window(now.plus(Duration.ofHours(2))));

        assertThat(run.count("run.resumed")).isEqualTo(1);
        assertThat(run.count("step.started")).isEqualTo(2);
        assertThat(run.paused().resumeAt()).isEmpty();
    }

    @Test
    void aPersonsResumeResetsTheLadder() {
        RunKit run = failingForHours(alone(""), now -> provider(OptionalLong.of(2_500)));

        RunKit resumed = failingForHours(run.resume(Resume.plain()), now -> provider(OptionalLong.of(2_500)));

        assertThat(resumed.count("step.started")).isEqualTo(6);
        assertThat(resumed.count("run.paused")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"max: 0", "max: 0, wait: never", "max: 2", "max: 2, wait: never"})
    void aLaunchAfterAProviderPauseIsOneMoreAttempt(String transientKeys) {
        RunKit run = failingForHours(run(transientKeys), now -> provider(OptionalLong.of(2_500)));
        int lost = (int) run.count("step.started");
        assertThat(run.paused().reason()).isEqualTo(PauseReason.PROVIDER_UNAVAILABLE);

        run.resume(Resume.plain());

        assertThat(run.open()).hasSize(1);
        assertThat(run.state().ledger().statistics().totalAttempts()).isEqualTo(lost + 1);
        run.ends("dev", exit(0)).ends("judge", signal("determination: SUCCESS"));
        assertThat(run.state().ledger().statistics().totalAttempts()).isEqualTo(lost + 2);
        assertThat(run.state().ledger().statistics().ended().itemsRetried()).isZero();
    }

    @Test
    void aPersonsResumeAddsOneAttemptToEachWaitingItem() {
        RunKit run = RunKit.started(
                        "retry: {transient: {max: 0}}\n" + Manifests.each("{id: a}, {id: b}", "concurrency: 2"))
                .ends("frames.a.dev.1", OVERLOADED)
                .ends("frames.b.dev.1", OVERLOADED)
                .ends("frames.a.cheap.1", OVERLOADED)
                .ends("frames.b.cheap.1", OVERLOADED)
                .resume(Resume.plain())
                .resume(Resume.plain());

        assertThat(run.open()).hasSize(2);
        assertThat(run.state().ledger().statistics().totalAttempts()).isEqualTo(6);
    }

    @Test
    void aWaitThatAPersonCutsShortIsFollowedByOneMoreAttempt() {
        RunKit run = run("max: 1").ends("dev", OVERLOADED).resume(Resume.plain().feedback("use the other key"));

        assertThat(run.state().ledger().statistics().totalAttempts()).isEqualTo(2);
    }

    @Test
    void launchesOfARepeatedIterationCountOnce() {
        RunKit run = run("max: 0").ends("dev", exit(0)).ends("judge", OVERLOADED);

        run.resume(Resume.with(ResumeAction.RETRY_ITERATION)).ends("dev", exit(0));

        assertThat(run.open()).containsExactly("build.1.judge.2");
        assertThat(run.state().ledger().statistics().totalAttempts()).isEqualTo(4);
    }

    @Test
    void theCircuitBreakerIsCheckedBeforeTheNextStepOfAnIteration() {
        RunKit run = RunKit.started("retry: {stopConditions: {circuitBreaker: 1}}\n" + Manifests.loop(""))
                .ends("dev", exit(0));

        assertThat(run.subtype()).isEqualTo("error_stop_condition");
        assertThat(run.resume(Resume.plain().force()).open()).containsExactly("build.1.judge.1");
        assertThat(run.ends("judge", signal("determination: SUCCESS")).subtype())
                .isEqualTo("stop");
    }

    @Test
    void theCircuitBreakerCountsAndPreventsConsultations() {
        RunKit run = RunKit.started("retry: {stopConditions: {circuitBreaker: 2}}\n" + Manifests.loop(""))
                .ends("dev", exit(0))
                .ends("judge", signal("determination: ANOMALY"))
                .resume(Resume.with(ResumeAction.CONSULT_REFLECTION));

        assertThat(run.subtype()).isEqualTo("error_stop_condition");
        run = RunKit.started(Manifests.loop(""))
                .ends("dev", exit(0))
                .ends("judge", signal("determination: ANOMALY"))
                .resume(Resume.with(ResumeAction.CONSULT_REFLECTION));
        assertThat(run.state().ledger().statistics().totalAttempts()).isEqualTo(3);
    }

    @Test
    void theCommandOfAnUntilRunsNoAgentAndCountsForNothing() {
        RunKit run = RunKit.started(
                        "retry: {stopConditions: {circuitBreaker: 1}}\n"
                                + Manifests.phases(
                                        "{name: build, loop: {steps: [dev], maxIterations: 3, until: {command: [check], first: false}}}"))
                .ends("dev", exit(0));
        assertThat(run.open()).hasSize(1);

        run.ends(run.open().get(0), exit(0));

        assertThat(run.subtype()).isEqualTo("stop");
        assertThat(run.state().ledger().statistics().totalAttempts()).isEqualTo(1);
    }

    @Test
    void theCircuitBreakerIsCheckedBeforeEachLaunchOfTheLadder() {
        RunKit run = failingForHours(
                alone(", stopConditions: {circuitBreaker: 2}"), now -> provider(OptionalLong.of(2_500)));

        assertThat(run.count("step.started")).isEqualTo(2);
        assertThat(run.subtype()).isEqualTo("error_stop_condition");
    }

    @Test
    void theFirstLaunchOfATaskOrAGateCountsForTheCircuitBreakerToo() {
        for (String phase : List.of("{name: plan, task: dev}", "{name: check, gate: judge}")) {
            RunKit run = failingForHours(
                    RunKit.started("retry: {transient: {max: 20}, stopConditions: {circuitBreaker: 3}}\n"
                            + Manifests.phases(phase)),
                    now -> OVERLOADED);

            assertThat(run.count("step.started")).isEqualTo(3);
            assertThat(run.state().ledger().statistics().totalAttempts()).isEqualTo(3);
            assertThat(run.subtype()).isEqualTo("error_stop_condition");
        }
    }

    @Test
    void theCircuitBreakerHoldsForAnAutomaticResume() {
        RunKit run = failingForHours(
                alone(", stopConditions: {circuitBreaker: 4}"), now -> window(now.plus(Duration.ofHours(2))));

        assertThat(run.count("step.started")).isEqualTo(4);
        assertThat(run.subtype()).isEqualTo("error_stop_condition");
    }

    @Test
    void theCircuitBreakerHoldsForAnItemsAutomaticResume() {
        RunKit run = failingForHours(
                RunKit.started("retry: {transient: {max: 0}, stopConditions: {circuitBreaker: 2}}\n"
                        + Manifests.each("{id: a}", "")),
                now -> window(now.plus(Duration.ofHours(2))));

        assertThat(run.count("step.started")).isEqualTo(2);
        assertThat(run.subtype()).isEqualTo("error_stop_condition");
    }

    @Test
    void theCircuitBreakerHoldsAlsoForARunThatAPersonResumes() {
        String strict = "retry: {transient: {max: 0}, stopConditions: {circuitBreaker: 2}}\n";
        for (String phase : List.of(Manifests.loop(""), Manifests.each("{id: a}", ""))) {
            RunKit run = failingForHours(RunKit.started(strict + phase), now -> OVERLOADED);
            assertThat(run.paused().reason()).isEqualTo(PauseReason.PROVIDER_UNAVAILABLE);

            run.resume(Resume.plain());

            assertThat(run.count("step.started")).isEqualTo(2);
            assertThat(run.subtype()).isEqualTo("error_stop_condition");
        }
    }

    @Test
    void eachAgentHasOneTryAfterAnAutomaticResume() {
        RunKit run = failingForHours(run("max: 2"), now -> window(now.plus(Duration.ofHours(2))));

        assertThat(run.history().stream()
                        .filter(StepStarted.class::isInstance)
                        .map(step -> ((StepStarted) step).agent()))
                .containsExactly("dev", "cheap", "dev", "cheap", "dev", "cheap");
        assertThat(run.paused().resumeAt()).isEmpty();
    }

    @Test
    void anAgentWithoutAFallbackWaitsForItsUsageWindow() {
        RunKit run = RunKit.started("""
                name: demo
                agents: {dev: {command: [dev]}}
                phases: [{name: build, loop: {steps: [dev]}}]
                """).ends("dev", window(RunKit.BEGIN.plus(Duration.ofHours(2))));

        assertThat(run.status()).isEqualTo(RunStatus.WAITING);
        assertThat(run.later(Duration.ofHours(3)).timer().open()).containsExactly("build.1.dev.1-2");
    }

    @Test
    void triesTheFallbackAtOnceWhenAUsageWindowOutlastsTheBackoff() {
        Instant soon = RunKit.BEGIN.plus(Duration.ofHours(1));
        RunKit run = run("max: 3").ends("dev", window(soon));

        assertThat(run.open()).containsExactly("build.1.cheap.1");
        run.ends("cheap", window(soon.plus(Duration.ofHours(4))));
        assertThat(run.paused().reason()).isEqualTo(PauseReason.PROVIDER_UNAVAILABLE);
        assertThat(run.paused().resumeAt()).contains(soon);
        assertThat(run.later(Duration.ofHours(2)).timer().open()).containsExactly("build.1.dev.1-2");
    }

    @Test
    void triesTheFallbackAtOnceWhenARateLimitOutlastsTheBackoff() {
        RunKit run = run("max: 3").ends("dev", provider(OptionalLong.of(7_200_000)));

        assertThat(run.open()).containsExactly("build.1.cheap.1");
    }

    @Test
    void retriesTheFirstAgentOnceItsUsageWindowHasEnded() {
        RunKit run = run("max: 1").ends("dev", window(RunKit.BEGIN.plus(Duration.ofHours(1))));

        run.later(Duration.ofHours(2)).ends("cheap", OVERLOADED);
        run.later(Duration.ofMinutes(1)).timer().ends("cheap", OVERLOADED);
        assertThat(run.paused().reason()).isEqualTo(PauseReason.PROVIDER_UNAVAILABLE);
        assertThat(run.paused().resumeAt()).contains(run.now().plusSeconds(2));
        assertThat(run.later(Duration.ofMinutes(1)).timer().open()).containsExactly("build.1.dev.1-2");

        assertThat(failingForHours(run, now -> OVERLOADED).paused().resumeAt()).isEmpty();
    }

    @Test
    void aUsageWindowWithinABackOffIsAwaited() {
        RunKit run = run("max: 3").ends("dev", window(RunKit.BEGIN.plusSeconds(60)));

        assertThat(run.status()).isEqualTo(RunStatus.WAITING);
        assertThat(run.later(Duration.ofMinutes(2)).timer().open()).containsExactly("build.1.dev.1-2");
    }

    @Test
    void aWaitForAProviderDoesNotAskAPersonAtOnce() {
        RunKit run = RunKit.started("""
                name: demo
                agents: {dev: {command: [dev]}}
                retry: {transient: {wait: never}}
                phases: [{name: build, loop: {steps: [dev]}}]
                """).ends("dev", window(RunKit.BEGIN.plus(Duration.ofHours(2))));

        assertThat(run.paused().resumeAt()).isEmpty();
    }

    @Test
    void anIdleAgentClimbsTheLadderWithTheCauseOfItsRetries() {
        RunKit run = run("max: 3").ends("dev", OVERLOADED.causedBy(ExitCause.IDLE));

        assertThat(due(run)).isEqualTo(run.now().plusSeconds(2));
        var error = run.lastEvent(StepFinished.class).result().errorContext().orElseThrow();
        assertThat(error.kind()).isEqualTo("overloaded");
        assertThat(error.stopReason()).contains("idle");
        assertThat(run("max: 3").ends("dev", StepEnd.by(ExitCause.IDLE)).status())
                .isNotEqualTo(RunStatus.WAITING);
    }

    @Test
    void aMissingModelGoesToTheFallbackAtOnce() {
        assertThat(run("max: 3")
                        .ends("dev", lasting("error_provider_auth", "model-missing"))
                        .open())
                .containsExactly("build.1.cheap.1");
    }

    @Test
    void errorsThatDoNotPassEndTheRunAtOnce() {
        assertThat(afterDev("error_provider_auth", "auth")).isEqualTo("error_provider_auth");
        assertThat(afterDev("error_provider_auth", "billing")).isEqualTo("error_provider_auth");
        assertThat(afterDev("error_provider_auth", "entitlement")).isEqualTo("error_provider_auth");
        assertThat(afterDev("error_infrastructure", "infrastructure")).isEqualTo("error_infrastructure");
        assertThat(afterDev("error_halted", "unclassified")).isEqualTo("error_halted");
        assertThat(afterDev("error_max_structured_output_retries", "unclassified"))
                .isEqualTo("error_max_structured_output_retries");
        assertThat(afterDev("error_thinking_starved", "unclassified")).isEqualTo("error_thinking_starved");
        assertThat(afterDev("error_compaction_failed", "unclassified")).isEqualTo("error_compaction_failed");
    }

    private static String afterDev(String termination, String kind) {
        return run("max: 3").ends("dev", lasting(termination, kind)).subtype();
    }

    @Test
    void aValidSignalIsBelievedOverAnErrorInTheOutput() {
        RunKit run = run("max: 3").ends("dev", exit(0));

        run.ends("judge", OVERLOADED.reading(signal("determination: SUCCESS").reading()));

        assertThat(run.subtype()).isEqualTo("stop");
    }

    @Test
    void anErrorInTheSignalItselfIsTriedAgain() {
        RunKit run = run("max: 3")
                .ends("dev", exit(0))
                .ends("judge", signal("status: partial, error: {message: busy, kind: overloaded, isTransient: true}"));

        assertThat(run.status()).isEqualTo(RunStatus.WAITING);
    }

    @ParameterizedTest
    @CsvSource({
        "overloaded,       error_provider_unavailable",
        "auth,             error_provider_auth",
        "context-overflow, error_prompt_too_long"
    })
    void aSignalWithATransientErrorCompletesNoStep(String kind, String termination) {
        RunKit run = run("max: 3")
                .ends("dev", exit(0))
                .ends("judge", signal("status: partial, error: {message: no answer, kind: " + kind + "}"));

        StepResult result = run.lastEvent(StepFinished.class).result();
        assertThat(result.status()).isEqualTo(StepStatus.ERROR);
        assertThat(result.termination()).isEqualTo(termination);
        assertThat(result.errorContext().orElseThrow().kind()).isEqualTo(kind);
    }

    @Test
    void anIdleAgentThatRetriesCompletesNoStep() {
        RunKit run = run("max: 3")
                .ends("dev", exit(0))
                .ends(
                        "judge",
                        signal("determination: PROGRESS")
                                .reporting(provider(OptionalLong.empty()).report())
                                .causedBy(ExitCause.IDLE));

        StepResult result = run.lastEvent(StepFinished.class).result();
        assertThat(run.status()).isEqualTo(RunStatus.WAITING);
        assertThat(result.status()).isEqualTo(StepStatus.ERROR);
        assertThat(result.termination()).isEqualTo("error_provider_unavailable");
    }

    /** Nothing is made of its failure, so its error is reported and no more. */
    @Test
    void aSignalWithATransientErrorCompletesARequestedStep() {
        RunKit run = RunKit.started(Manifests.phases("{name: build, loop: {steps: [judge, {agent: reflection, when:"
                        + " requested}], maxIterations: 3}}"))
                .ends("judge", signal("determination: PROGRESS"))
                .ends("reflection", signal("status: partial, error: {message: busy, kind: overloaded}"));

        StepResult result = run.lastEvent(StepFinished.class).result();
        assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
        assertThat(run.open()).containsExactly("build.2.judge.1");
        assertThat(result.status()).isEqualTo(StepStatus.COMPLETED);
        assertThat(result.errorContext().orElseThrow().kind()).isEqualTo("overloaded");
    }

    @Test
    void anErrorBesideASuccessIsReportedAndChangesNothing() {
        RunKit run = run("max: 3")
                .ends("dev", exit(0))
                .ends("judge", signal("determination: SUCCESS, error: {message: busy, kind: overloaded}"));

        StepResult result = run.lastEvent(StepFinished.class).result();
        assertThat(run.subtype()).isEqualTo("stop");
        assertThat(result.status()).isEqualTo(StepStatus.COMPLETED);
        assertThat(result.errorContext().orElseThrow().kind()).isEqualTo("overloaded");
    }

    @ParameterizedTest
    @CsvSource({"TIMEOUT, timeout", "IDLE, idle"})
    void aStepThatWasCutShortSaysByWhatAlsoWithAValidSignal(ExitCause cause, String kind) {
        RunKit run = run("max: 3")
                .ends("dev", exit(0))
                .ends("judge", signal("determination: SUCCESS").causedBy(cause));

        StepResult result = run.lastEvent(StepFinished.class).result();
        assertThat(run.subtype()).isEqualTo("stop");
        assertThat(result.status()).isEqualTo(StepStatus.COMPLETED);
        assertThat(result.errorContext().orElseThrow().kind()).isEqualTo(kind);
    }

    @Test
    void anItemKeepsItsAttemptThroughRetries() {
        RunKit run = RunKit.started("retry: {transient: {max: 1}}\n" + Manifests.each("{id: f1}", "maxAttempts: 1"))
                .ends("dev", OVERLOADED)
                .later(Duration.ofMinutes(1))
                .timer();

        assertThat(run.open()).containsExactly("frames.f1.dev.1-2");
        assertThat(run.launched().identity().attempt()).isEqualTo(1);
    }

    @Test
    void aStepThatCannotBeLaunchedEndsTheRun() {
        assertThat(run("max: 3")
                        .ends("dev", StepEnd.by(ExitCause.LAUNCH_FAILED))
                        .subtype())
                .isEqualTo("error_critical_phase");
        assertThat(RunKit.started(Manifests.phases("{name: plan, task: dev}"))
                        .ends("dev", StepEnd.by(ExitCause.LAUNCH_FAILED))
                        .subtype())
                .isEqualTo("error_critical_phase");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{name: last, task: dev}",
                "{name: last, critical: false, task: dev}",
                "{name: last, gate: dev}",
                "{name: last, critical: false, loop: {steps: [dev], maxIterations: 1}}",
                "{name: last, critical: false, each: {steps: [dev], maxAttempts: 1, items: [{id: f1}]}}"
            })
    void aFullDiskIsNeverAFailedIteration(String phase) {
        RunKit run = RunKit.started(Manifests.phases(phase)).ends("dev", StepEnd.withoutDiskSpace());

        assertThat(run.subtype()).isEqualTo("error_infrastructure");

        run.resume(Resume.plain().acknowledge());

        assertThat(run.open()).hasSize(1);
        assertThat(run.launched().identity().agent()).isEqualTo("dev");
    }

    @Test
    void theExitCodeOfAGateDecidesWhateverItsLogContains() {
        assertThat(gate("").ends("gatekeeper", OVERLOADED).subtype()).isEqualTo("error_gate_failed");
        assertThat(gate("").ends("gatekeeper", lasting("error_provider_auth", "auth"))
                        .subtype())
                .isEqualTo("error_gate_failed");
        assertThat(gate(", output: codex").ends("gatekeeper", OVERLOADED).status())
                .isEqualTo(RunStatus.WAITING);
        assertThat(gate(", signal: gate.json")
                        .ends(
                                "gatekeeper",
                                OVERLOADED.reading(
                                        StepEnd.silent(SignalDetail.ABSENT).reading()))
                        .status())
                .isEqualTo(RunStatus.WAITING);
    }

    private static RunKit gate(String keys) {
        return RunKit.started("name: demo\nagents: {gatekeeper: {command: [gatekeeper]" + keys
                + "}}\nphases: [{name: verify, gate: gatekeeper}]\n");
    }
}
