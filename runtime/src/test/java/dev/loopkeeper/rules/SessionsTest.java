package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.lasting;
import static dev.loopkeeper.rules.StepEnd.provider;
import static dev.loopkeeper.rules.StepEnd.signal;
import static dev.loopkeeper.rules.StepEnd.silent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.StepRetrying;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.FailureKind;
import dev.loopkeeper.step.StepSession;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.verdict.SignalDetail;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which session a launch continues with, when a step is launched again for its signal, and what a full context window means. */
class SessionsTest {
    private static final StepEnd BUSY = provider(OptionalLong.empty());
    private static final StepEnd FULL = lasting("error_prompt_too_long", "context-overflow");
    private static final StepEnd NOT_FOUND = lasting("error_during_execution", "unclassified");
    private static final Optional<String> FRESH = Optional.empty();

    private static String agents(String session, String dialect) {
        return "name: demo\n"
                + "agents:\n"
                + "  dev: {command: [dev], output: " + dialect + ", session: " + session
                + ", resume: [dev, --resume, \"{{session.id}}\"], fallback: [cheap]}\n"
                + "  cheap: {command: [cheap], output: claude-code, session: " + session
                + ", resume: [cheap, \"-r={{ session.id }}\"]}\n"
                + "  judge: {command: [judge], signal: judge.json, output: claude-code,"
                + " resume: [judge, \"{{session.id}}\"]}\n"
                + "retry: {backoff: {initial: 2s, jitter: 0}, transient: {max: 1}}\n";
    }

    private static RunKit loop(String session) {
        return loop(session, "claude-code", "");
    }

    private static RunKit loop(String session, String dialect, String keys) {
        return RunKit.started(agents(session, dialect) + keys
                + "phases: [{name: build, loop: {steps: [dev, judge], maxIterations: 9, noProgress: 0}}]\n");
    }

    private static RunKit retried(RunKit run) {
        return run.later(Duration.ofMinutes(10)).timer();
    }

    private static Optional<String> continues(RunKit run) {
        return run.launched().continues().map(session -> session.stepId());
    }

    private static String command(RunKit run, String node) {
        return String.join(
                " ",
                run.launched().launchedAt(node).agentSpec().program().command().argv());
    }

    @ParameterizedTest
    @CsvSource({"fresh, -", "afterInterruption, build.1.dev.1", "continue, build.1.dev.1"})
    void workThatWasCutShortContinuesInItsSession(String mode, String from) {
        RunKit run = retried(loop(mode).ends("dev", BUSY.in("s1", FRESH)));

        assertThat(continues(run).orElse("-")).isEqualTo(from);
        assertThat(run.launched().context().failure().orElseThrow().kind()).isEqualTo(FailureKind.INTERRUPTED);
    }

    @ParameterizedTest
    @CsvSource({"fresh, -", "afterInterruption, -", "continue, build.1.dev.1"})
    void theNextIterationContinuesTheSessionOnlyIfConfigured(String mode, String from) {
        RunKit run = loop(mode).ends("dev", exit(0).in("s1", FRESH)).ends("judge", signal("determination: PROGRESS"));

        assertThat(run.open()).containsExactly("build.2.dev.1");
        assertThat(continues(run).orElse("-")).isEqualTo(from);
    }

    @Test
    void theCommandOfASessionNamesItsIdWhereTheSessionIs() {
        RunKit run = retried(loop("afterInterruption").ends("dev", BUSY.in("s1", FRESH)));

        assertThat(command(run, "here")).isEqualTo("dev --resume s1");
        assertThat(command(run, "elsewhere")).isEqualTo("dev");
        assertThat(run.launched().launchedAt("elsewhere").continues()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--last", "a b", "$(id)", "", "x;y"})
    void anIdThatACommandLineWouldReadOtherwiseIsNotGoneOnWith(String id) {
        assertThat(continues(retried(loop("continue").ends("dev", BUSY.in(id, FRESH)))))
                .isEmpty();
    }

    @Test
    void aStopARestartAndAResumeKeepTheSession() {
        RunKit run = loop("afterInterruption")
                .stop()
                .ends("dev", StepEnd.by(ExitCause.STOPPED).in("s1", FRESH))
                .resume(Resume.plain());

        assertThat(continues(run)).contains("build.1.dev.1");
        StepSpec launched = run.launched();
        assertThat(run.crash().launched()).isEqualTo(launched);
    }

    @Test
    void aFallbackAgentHasItsOwnSession() {
        RunKit run = retried(loop("afterInterruption").ends("dev", BUSY.in("s1", FRESH)));
        run.ends("dev", BUSY.in("s1", Optional.of("build.1.dev.1")));
        assertThat(run.open()).containsExactly("build.1.cheap.1");
        assertThat(continues(run)).isEmpty();

        run.ends("cheap", BUSY.in("c1", FRESH));
        retried(run).ends("cheap", BUSY.in("c1", Optional.of("build.1.cheap.1")));
        run.resume(Resume.plain());

        assertThat(run.open()).containsExactly("build.1.dev.1-3");
        assertThat(continues(run)).contains("build.1.dev.1-2");
    }

    @ParameterizedTest
    @CsvSource({"fresh", "afterInterruption", "continue"})
    void eachAttemptOfATaskBeginsASessionUnlessItWasCutShort(String mode) {
        RunKit run = RunKit.started(agents(mode, "codex") + "phases: [{name: plan, task: dev}]\n");
        run.ends("dev", exit(3).in("s1", FRESH)).resume(Resume.plain());

        assertThat(continues(run)).isEmpty();
    }

    @Test
    void anItemNeverContinuesTheSessionOfAnother() {
        RunKit run = RunKit.started(agents("continue", "codex")
                + "phases: [{name: frames, each: {steps: [dev, judge], items: [{id: a}, {id: b}], maxAttempts: 3}}]\n");
        run.ends("dev", exit(0).in("s1", FRESH)).ends("judge", signal("verdict: rejected"));
        assertThat(continues(run)).contains("frames.a.dev.1");

        run.ends("dev", exit(0).in("s1", Optional.of("frames.a.dev.1"))).ends("judge", signal("verdict: approved"));
        assertThat(run.open()).containsExactly("frames.b.dev.1");
        assertThat(continues(run)).isEmpty();
    }

    @Test
    void startsAMissingSessionAgainOnceWithinTheSameTry() {
        RunKit run = retried(loop("afterInterruption").ends("dev", BUSY.in("s1", FRESH)));

        run.ends("dev", NOT_FOUND.in("s1", Optional.of("build.1.dev.1")));

        assertThat(run.lastEvent(Notice.class).code()).isEqualTo("session-lost");
        assertThat(run.lastEvent(StepRetrying.class).reason().wire()).isEqualTo("session");
        assertThat(continues(run)).isEmpty();
        assertThat(run.launched().context().failure().orElseThrow().kind()).isEqualTo(FailureKind.INTERRUPTED);
        assertThat(run.launched().identity().attempt()).isEqualTo(1);
        assertThat(run.state().ledger().statistics().totalAttempts()).isEqualTo(3);

        run.ends("dev", NOT_FOUND.in("s2", FRESH)); // without a session to lose it is a failure like any other
        assertThat(run.count("step.retrying")).isEqualTo(2);
    }

    @Test
    void aFullWindowLosesNoSessionAndWorkThatBeganDoesNot() {
        Optional<String> first = Optional.of("build.1.dev.1");
        RunKit full = retried(loop("afterInterruption").ends("dev", BUSY.in("s1", FRESH)))
                .ends("dev", FULL.in("s1", first));
        assertThat(full.lastEvent(StepRetrying.class).reason().wire()).isEqualTo("overflow");

        RunKit began = retried(loop("afterInterruption").ends("dev", BUSY.in("s1", FRESH)))
                .ends("dev", NOT_FOUND.in("s1", first).working());
        assertThat(began.count("notice")).isZero();
    }

    @Test
    void aReminderThatMetAPassingErrorContinuesInItsSession() {
        RunKit run = loop("fresh")
                .ends("dev", exit(0))
                .ends("judge", silent(SignalDetail.ABSENT).in("j1", FRESH))
                .ends("judge", BUSY.in("j1", Optional.of("build.1.judge.1")));

        assertThat(continues(retried(run))).contains("build.1.judge.1-2");
    }

    @Test
    void aReminderThatAProviderPauseHeldUpContinuesInItsSession() {
        RunKit run = RunKit.started(agents("fresh", "claude-code").replace("transient: {max: 1}", "transient: {max: 0}")
                        + "phases: [{name: build, loop: {steps: [dev, judge], maxIterations: 9, noProgress: 0}}]\n")
                .ends("dev", exit(0))
                .ends("judge", silent(SignalDetail.ABSENT).in("j1", FRESH))
                .ends("judge", provider(OptionalLong.of(3_600_000)).in("j1", Optional.of("build.1.judge.1")));
        assertThat(run.paused().reason().wire()).isEqualTo("provider_unavailable");

        assertThat(continues(run.later(Duration.ofHours(2)).timer())).contains("build.1.judge.1-2");
    }

    @Test
    void aFallbackAgentContinuesNoEarlierSession() {
        RunKit run = loop("continue").ends("dev", BUSY);
        retried(run).ends("dev", BUSY).ends("cheap", exit(0).in("c1", FRESH));
        run.ends("judge", signal("determination: PROGRESS")).ends("dev", BUSY);
        retried(run).ends("dev", BUSY);

        assertThat(run.launched().identity().agent()).isEqualTo("cheap");
        assertThat(continues(run)).isEmpty();
    }

    @Test
    void aFullWindowBesideAValidSignalIsNoFailureOfTheNextLaunch() {
        RunKit run = loop("fresh")
                .ends("dev", exit(0))
                .ends("judge", FULL.reading(signal("determination: PROGRESS").reading()));

        assertThat(run.open()).containsExactly("build.2.dev.1");
        assertThat(run.launched().context().failure()).isEmpty();
    }

    @Test
    void aReminderNamesItsPurposeInARetryToo() {
        RunKit run = loop("fresh")
                .ends("dev", StepEnd.by(ExitCause.VANISHED))
                .resume(Resume.plain())
                .ends("dev", exit(0))
                .ends("judge", silent(SignalDetail.EMPTY).in("j1", FRESH));

        assertThat(run.launched().context().failure().orElseThrow().kind()).isEqualTo(FailureKind.SIGNAL_INVALID);
    }

    @Test
    void aNewThreadCountsAllItsTokens() {
        Usage first = new Usage(OptionalDouble.empty(), OptionalLong.of(100), OptionalLong.of(10), OptionalLong.of(1));
        Usage other = new Usage(OptionalDouble.empty(), OptionalLong.of(180), OptionalLong.of(15), OptionalLong.of(1));
        RunKit run =
                loop("continue", "codex", "").ends("dev", exit(0).telling(first).in("t1", FRESH));
        run.ends("judge", signal("determination: PROGRESS"))
                .ends("dev", exit(0).telling(other).in("t2", Optional.of("build.1.dev.1")));

        assertThat(run.state().spending().asUsage().inputTokens()).hasValue(280);
    }

    @Test
    void anErrorAfterATurnBeganLosesNoSession() {
        RunKit run = retried(loop("afterInterruption").ends("dev", BUSY.in("s1", FRESH)));

        run.ends("dev", NOT_FOUND.costing(1).in("s1", Optional.of("build.1.dev.1")));

        assertThat(run.count("notice")).isZero();
    }

    @Test
    void theTotalsOfASessionCountOnce() {
        Usage first = new Usage(OptionalDouble.of(0.5), OptionalLong.of(100), OptionalLong.of(10), OptionalLong.of(2));
        Usage second = new Usage(OptionalDouble.of(0.75), OptionalLong.of(50), OptionalLong.of(5), OptionalLong.of(1));
        Usage whole =
                new Usage(OptionalDouble.of(0.75), OptionalLong.of(150), OptionalLong.of(15), OptionalLong.empty());
        RunKit run = loop("continue").ends("dev", exit(0).telling(first).in("s1", FRESH));
        run.ends("judge", signal("determination: PROGRESS"));
        run.uses("dev", second);
        assertThat(run.state().spending().asUsage().costUsd()).hasValue(0.75);

        run.ends(
                "dev",
                exit(0).telling(second).in("s1", Optional.of("build.1.dev.1")).totalling(whole));

        assertThat(run.state().spending().asUsage().costUsd()).hasValue(0.75);
        assertThat(run.state().spending().asUsage().inputTokens()).hasValue(150);
        assertThat(run.state().spending().asUsage().turns()).hasValue(3);
    }

    @Test
    void aZeroOfALaunchThatFailedDoesNotHideTheTotalBefore() {
        RunKit run = loop("continue")
                .ends("dev", exit(0).telling(costOnly(0.4)).in("s1", FRESH))
                .ends("judge", signal("determination: PROGRESS"))
                .ends("dev", BUSY.telling(costOnly(0)).in("s1", Optional.of("build.1.dev.1")));

        retried(run).ends("dev", exit(0).telling(costOnly(0.6)).in("s1", Optional.of("build.2.dev.1")));

        assertThat(run.state().spending().asUsage().costUsd()).hasValue(0.6);
    }

    @Test
    void aTotalOfAContinuedSessionThatGotAnotherIdCountsOnce() {
        RunKit run = loop("continue")
                .ends("dev", exit(0).telling(costOnly(0.4)).in("s1", FRESH))
                .ends("judge", signal("determination: PROGRESS"))
                .ends("dev", exit(0).telling(costOnly(0.6)).in("s2", Optional.of("build.1.dev.1")));

        assertThat(run.state().spending().asUsage().costUsd()).hasValue(0.6);
    }

    private static Usage costOnly(double usd) {
        return new Usage(OptionalDouble.of(usd), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
    }

    /** The cost of the launch, as the tokens of all models are: nothing of the session before is in it. */
    @Test
    void countsTheCostOfOneLaunchUnchanged() {
        Usage first = new Usage(OptionalDouble.of(0.5), OptionalLong.of(100), OptionalLong.of(10), OptionalLong.of(2));
        Usage second = new Usage(OptionalDouble.of(0.75), OptionalLong.of(90), OptionalLong.of(10), OptionalLong.of(1));
        RunKit run = loop("continue").ends("dev", exit(0).telling(first).in("s1", FRESH));
        run.ends("judge", signal("determination: PROGRESS"))
                .ends("dev", exit(0).telling(second).in("s1", Optional.of("build.1.dev.1")));

        assertThat(run.state().spending().asUsage().costUsd()).hasValue(1.25);
    }

    @Test
    void codexReportsTheTokensOfItsWholeThread() {
        Usage first = new Usage(OptionalDouble.empty(), OptionalLong.of(100), OptionalLong.of(10), OptionalLong.of(1));
        Usage whole = new Usage(OptionalDouble.empty(), OptionalLong.of(180), OptionalLong.of(15), OptionalLong.of(1));
        RunKit run =
                loop("continue", "codex", "").ends("dev", exit(0).telling(first).in("t1", FRESH));
        run.ends("judge", signal("determination: PROGRESS"))
                .ends("dev", exit(0).telling(whole).in("t1", Optional.of("build.1.dev.1")));

        assertThat(run.state().spending().asUsage().inputTokens()).hasValue(180);
        assertThat(run.state().spending().asUsage().turns()).hasValue(2);
    }

    @Test
    void theResultNamesTheSession() {
        RunKit run = loop("continue").ends("dev", exit(0).in("s1", FRESH));

        assertThat(run.lastEvent(StepFinished.class).result().session()).contains(new StepSession("s1", FRESH));
    }

    @ParameterizedTest
    @EnumSource(value = SignalDetail.class, names = "STALE", mode = EnumSource.Mode.EXCLUDE)
    void aStepThatLeftNoValidSignalIsLaunchedAgainInItsSession(SignalDetail detail) {
        RunKit run =
                loop("fresh").ends("dev", exit(0)).ends("judge", silent(detail).in("j1", FRESH));

        StepRetrying again = run.lastEvent(StepRetrying.class);
        assertThat(again.reason().wire()).isEqualTo("signal");
        assertThat(continues(run)).contains("build.1.judge.1");
        assertThat(command(run, "here")).isEqualTo("judge j1");
        assertThat(run.launched().identity().attempt()).isEqualTo(1);
        assertThat(run.launched().context().failure().orElseThrow().kind()).isEqualTo(FailureKind.SIGNAL_INVALID);

        run.ends("judge", silent(detail).in("j1", Optional.of("build.1.judge.1")));
        assertThat(run.paused().reason().wire()).isEqualTo("missing_signals");

        run.resume(Resume.plain())
                .ends("dev", exit(0))
                .ends("judge", silent(detail).in("j2", FRESH)); // a resume begins the count again
        assertThat(run.lastEvent(StepRetrying.class).reason().wire()).isEqualTo("signal");
        run.ends("judge", signal("determination: SUCCESS"));
        assertThat(run.subtype()).isEqualTo("stop");
    }

    @Test
    void aNudgeThatWaitsBehindAPauseIsLaunchedByTheResumeAndCounts() {
        RunKit run = loop("fresh")
                .ends("dev", exit(0))
                .pause()
                .ends("judge", silent(SignalDetail.MALFORMED).in("j1", FRESH))
                .resume(Resume.plain());

        assertThat(continues(run)).contains("build.1.judge.1");
        assertThat(run.launched().context().failure().orElseThrow().kind()).isEqualTo(FailureKind.SIGNAL_INVALID);
        run.ends("judge", silent(SignalDetail.MALFORMED).in("j1", FRESH));
        assertThat(run.paused().reason().wire()).isEqualTo("missing_signals");
    }

    @Test
    void describesARetryAndASessionInTheWordsOfTheDocuments() {
        RunKit run = loop("fresh")
                .ends("dev", exit(0))
                .ends("judge", silent(SignalDetail.EMPTY).in("j1", FRESH));

        assertThat(run.lastEvent(StepRetrying.class).text())
                .startsWith("step build.1.judge.1 is launched again to write its signal, nudge 1: ");
        assertThat(run.lastEvent(StepStarted.class).text())
                .isEqualTo("step build.1.judge.1-2 started, continued from build.1.judge.1");
        assertThat(loop("fresh").ends("dev", FULL).lastEvent(StepRetrying.class).text())
                .startsWith(
                        "step build.1.dev.1 is launched again in a fresh session with dev, since the context window was full: ");
    }

    /** A folder at the path of the signal ended as an anomaly, which does not say that the signal is missing. */
    @Test
    void aNudgeWhoseSignalPathIsBlockedPausesForTheMissingSignal() {
        RunKit run = loop("fresh")
                .ends("dev", exit(0))
                .ends("judge", silent(SignalDetail.MALFORMED).in("j1", FRESH))
                .ends("judge", StepEnd.withBlockedSignalPath());

        assertThat(run.paused().reason().wire()).isEqualTo("missing_signals");
        assertThat(run.paused().detail()).contains("malformed");
        assertThat(run.paused().message()).startsWith("judge: signal file dev.json of root cannot be moved aside");
        run.resume(Resume.with(ResumeAction.CONTINUE));
        assertThat(run.open()).containsExactly("build.2.dev.1");
    }

    @Test
    void anAgentWithoutASessionCommandIsNotNudgedByDefault() {
        String agents = "name: demo\nagents:\n  judge: {command: [judge], signal: judge.json%s}\n"
                + "phases: [{name: plan, task: judge}]\n";
        RunKit plain = RunKit.started(agents.formatted("")).ends("judge", silent(SignalDetail.ABSENT));
        RunKit asked = RunKit.started(agents.formatted(", nudge: 2")).ends("judge", silent(SignalDetail.ABSENT));

        assertThat(plain.paused().reason().wire()).isEqualTo("missing_signals");
        assertThat(asked.open()).containsExactly("plan.judge.1-2");
        assertThat(continues(asked)).isEmpty();
        asked.ends("judge", silent(SignalDetail.EMPTY)).ends("judge", silent(SignalDetail.EMPTY));
        assertThat(asked.paused().reason().wire()).isEqualTo("missing_signals");
    }

    @ParameterizedTest
    @ValueSource(strings = {"STALE", "failing"})
    void aSignalOfAnotherStepOrAnExitCodeIsNoReasonForANudge(String how) {
        StepEnd end = how.equals("STALE")
                ? silent(SignalDetail.STALE)
                : silent(SignalDetail.ABSENT).withExit(1);

        assertThat(loop("fresh").ends("dev", exit(0)).ends("judge", end).count("step.retrying"))
                .isZero();
    }

    @Test
    void theCircuitBreakerDecidesBeforeANudge() {
        RunKit halted = RunKit.started(agents("fresh", "claude-code")
                        .replace("transient: {max: 1}", "transient: {max: 1}, stopConditions: {circuitBreaker: 2}")
                + "phases: [{name: build, loop: {steps: [dev, judge], maxIterations: 9, noProgress: 0}}]\n");
        halted.ends("dev", exit(0)).ends("judge", silent(SignalDetail.ABSENT));

        assertThat(halted.count("step.retrying")).isZero();
        assertThat(halted.subtype()).isEqualTo("error_stop_condition");
    }

    @Test
    void noRetryIsRecordedThatTheCircuitBreakerForbids() {
        RunKit run = RunKit.started(agents("fresh", "claude-code")
                        .replace("transient: {max: 1}", "transient: {max: 1}, stopConditions: {circuitBreaker: 1}")
                + "phases: [{name: plan, task: dev}]\n");
        run.ends("dev", BUSY);

        assertThat(run.count("step.retrying")).isZero();
        assertThat(run.subtype()).isEqualTo("error_stop_condition");
    }

    @Test
    void aFullContextWindowLeadsToAFreshSessionThenTheFallback() {
        RunKit run = loop("continue").ends("dev", FULL.in("s1", FRESH));
        assertThat(run.lastEvent(StepRetrying.class).reason().wire()).isEqualTo("overflow");
        assertThat(run.open()).containsExactly("build.1.dev.1-2");
        assertThat(continues(run)).isEmpty();
        assertThat(run.launched().context().failure().orElseThrow().kind()).isEqualTo(FailureKind.CONTEXT_OVERFLOW);

        run.ends("dev", FULL.in("s2", FRESH));
        assertThat(run.open()).containsExactly("build.1.cheap.1");
        run.ends("cheap", FULL);

        assertThat(run.subtype()).isEqualTo("error_prompt_too_long");
    }

    @Test
    void aSuccessBeginsTheCountOfFullWindowsAgain() {
        RunKit run = loop("fresh")
                .ends("dev", FULL)
                .ends("dev", exit(0))
                .ends("judge", signal("determination: PROGRESS"))
                .ends("dev", FULL);

        assertThat(run.open()).containsExactly("build.2.dev.1-2");
        assertThat(run.state().overflows()).containsValue(1);
    }

    @Test
    void withoutFreshSessionsTheFallbackIsNext() {
        RunKit run = RunKit.started(agents("fresh", "claude-code").replace("transient: {max: 1}", "overflow: 0")
                        + "phases: [{name: plan, task: dev}]\n")
                .ends("dev", FULL);

        assertThat(run.open()).containsExactly("plan.cheap.1");
    }

    @Test
    void theStateKeepsOneSessionAnAgent() {
        RunKit run = loop("continue");
        for (int iteration = 0; iteration < 5; iteration++) {
            run.ends("dev", exit(0).in("s" + iteration, FRESH))
                    .ends("judge", signal("determination: PROGRESS").in("j" + iteration, FRESH));
        }

        assertThat(run.state().cursor().tries("build").sessions()).containsOnlyKeys("dev", "judge");
    }
}
