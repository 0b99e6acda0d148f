package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.provider;
import static dev.loopkeeper.rules.StepEnd.signal;
import static dev.loopkeeper.rules.StepEnd.silent;
import static dev.loopkeeper.termination.ResumeAction.CONTINUE;
import static dev.loopkeeper.termination.ResumeAction.FINISH_LOOP;
import static dev.loopkeeper.termination.ResumeAction.RETRY_ITERATION;
import static dev.loopkeeper.termination.ResumeAction.STOP_LOOP_NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.rules.message.ResumePreview;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.verdict.SignalDetail;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ResumePreviewsTest {
    private static final StepEnd PROGRESS = signal("determination: PROGRESS");

    private static Arguments row(
            String name, Supplier<RunKit> runs, ResumeAction action, List<String> kept, List<String> redone) {
        return arguments(name, runs, action, kept, redone);
    }

    private static RunKit loop() {
        return RunKit.started("retry: {transient: {max: 0}}\n" + Manifests.loop("maxIterations: 3"));
    }

    @CanIgnoreReturnValue
    private static RunKit iteration(RunKit run, StepEnd verdict) {
        return run.ends("dev", exit(0)).ends("judge", verdict);
    }

    private static RunKit refused(RunKit run) {
        return run.ends("dev", provider(OptionalLong.empty())).ends("cheap", provider(OptionalLong.empty()));
    }

    private static RunKit silentJudge(int iterationsBefore) {
        RunKit run = loop();
        for (int iteration = 0; iteration < iterationsBefore; iteration++) {
            iteration(run, PROGRESS);
        }
        return iteration(run, silent(SignalDetail.ABSENT));
    }

    private static RunKit secondLoop() {
        String again = "{name: polish, loop: {steps: [dev, judge], maxIterations: 1}}";
        RunKit run = RunKit.started(Manifests.phases(Manifests.loopPhase("maxIterations: 3"), again));
        iteration(run, PROGRESS);
        iteration(run, signal("determination: SUCCESS"));
        return iteration(run, PROGRESS);
    }

    private static RunKit items() {
        return RunKit.started(Manifests.each("{id: a}, {id: b}", "concurrency: 1"))
                .inTurn(exit(0), "dev")
                .ends("audit", signal("verdict: approved"))
                .pause()
                .ends("dev", exit(0));
    }

    static Stream<Arguments> rows() {
        StepEnd asks = signal("determination: PROGRESS, userInputNeeded: true, questions: ['which?']");
        return Stream.of(
                row("nothing yet", () -> loop().pause().ends("dev", exit(0)), CONTINUE, List.of(), List.of()),
                row(
                        "a step to be launched again",
                        () -> refused(iteration(loop(), PROGRESS)),
                        CONTINUE,
                        List.of("iteration 1"),
                        List.of("the open step of iteration 2")),
                row(
                        "a step that was stopped",
                        () -> iteration(loop(), PROGRESS).stop().ends("dev", exit(143)),
                        CONTINUE,
                        List.of("iteration 1"),
                        List.of("the open step of iteration 2")),
                row("a silent judge", () -> silentJudge(0), CONTINUE, List.of("iteration 1"), List.of()),
                row("two and a silent judge", () -> silentJudge(2), CONTINUE, List.of("iterations 1 to 3"), List.of()),
                row(
                        "the second again",
                        () -> silentJudge(1),
                        RETRY_ITERATION,
                        List.of("iteration 1"),
                        List.of("iteration 2")),
                row("to the end", () -> silentJudge(1), STOP_LOOP_NOW, List.of("iteration 1"), List.of()),
                row("one that asked", () -> iteration(loop(), asks), CONTINUE, List.of("iteration 1"), List.of()),
                row(
                        "a loop to be left",
                        () -> iteration(RunKit.started(Manifests.loop("maxIterations: 9, pauseEvery: 1")), PROGRESS),
                        FINISH_LOOP,
                        List.of("iteration 1"),
                        List.of()),
                row(
                        "all done",
                        () -> iteration(iteration(iteration(loop(), PROGRESS), PROGRESS), PROGRESS),
                        CONTINUE,
                        List.of("iterations 1 to 3"),
                        List.of()),
                row(
                        "a loop after a loop",
                        ResumePreviewsTest::secondLoop,
                        CONTINUE,
                        List.of("phase build", "iteration 3"),
                        List.of()),
                row("items", ResumePreviewsTest::items, CONTINUE, List.of("item a"), List.of("item b")),
                row("items to the end", ResumePreviewsTest::items, STOP_LOOP_NOW, List.of("item a"), List.of()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void aPreviewNamesWhatIsKeptAndWhatIsRedone(
            String name, Supplier<RunKit> runs, ResumeAction action, List<String> kept, List<String> redone) {
        ResumePreview preview =
                runs.get().resume(Resume.with(action).dryRun()).last().preview().orElseThrow();

        assertThat(preview.kept()).isEqualTo(kept);
        assertThat(preview.redone()).isEqualTo(redone);
    }

    /** Git has to undo the attempt first: nothing was said to follow. */
    @Test
    void previewsTheLaunchAfterGitHasUndoneTheAttempt() {
        RunKit run = RunKit.started("isolation: {git: worktree}\n" + Manifests.loop("maxIterations: 3"))
                .ends("dev", exit(0).committing("c1"))
                .ends("judge", silent(SignalDetail.ABSENT));

        ResumePreview preview = preview(run, Resume.with(ResumeAction.RETRY_ITERATION));

        assertThat(preview.next()).isEqualTo("launches dev, iteration 1 of 3");
        assertThat(preview.redone()).containsExactly("iteration 1");
        assertThat(ResumeOutlook.of(run.state(), ResumeAction.RETRY_ITERATION))
                .endsWith("; launches dev, iteration 1 of 3");
    }

    private static ResumePreview preview(RunKit run, Resume request) {
        return run.resume(request.dryRun()).last().preview().orElseThrow();
    }

    private static RunKit failedGate() {
        return RunKit.started(Manifests.phases("{name: verify, gate: gatekeeper}", "{name: end, task: dev}"))
                .ends("gatekeeper", exit(1));
    }

    @Test
    void whatIsForcedIsAllowedAndStillSaysWhatItLacks() {
        RunKit run = iteration(iteration(iteration(loop(), PROGRESS), PROGRESS), PROGRESS);

        assertThat(preview(run, Resume.plain()).allowed()).isFalse();
        ResumePreview forced = preview(run, Resume.plain().force());
        assertThat(forced.allowed()).isTrue();
        assertThat(forced.missing()).isEqualTo(preview(run, Resume.plain()).missing());
        assertThat(run.resume(Resume.plain().force()).open()).isNotEmpty();
    }

    @Test
    void aGateIsRedoneUnlessItIsWaived() {
        assertThat(preview(failedGate(), Resume.plain()).redone()).containsExactly("phase verify");

        ResumePreview waived = preview(failedGate(), Resume.plain().waive("verify"));
        assertThat(waived.redone()).isEmpty();
        assertThat(waived.kept()).containsExactly("phase verify");
    }

    @Test
    void whatWasNeverLaunchedIsNotRedone() {
        String task = "{name: plan, task: dev}";
        RunKit before = RunKit.started(Manifests.phases(task, "{name: verify, gate: gatekeeper}"))
                .pause()
                .ends("dev", exit(0));

        assertThat(preview(before, Resume.plain()).kept()).containsExactly("phase plan");
        assertThat(preview(before, Resume.plain()).redone()).isEmpty();
        assertThat(preview(RunKit.queued(Manifests.phases(task)), Resume.plain())
                        .redone())
                .isEmpty();
    }

    @Test
    void aTaskWhoseSilenceIsAcceptedIsNotRedone() {
        RunKit run = RunKit.started(Manifests.phases("{name: plan, task: architect}", "{name: end, task: dev}"))
                .ends("architect", silent(SignalDetail.ABSENT));

        ResumePreview accepted = preview(run, Resume.with(CONTINUE));
        assertThat(accepted.kept()).containsExactly("phase plan");
        assertThat(accepted.redone()).isEmpty();
        assertThat(preview(run, Resume.with(RETRY_ITERATION)).redone()).containsExactly("phase plan");
        assertThat(preview(run, Resume.with(STOP_LOOP_NOW)).redone()).isEmpty();
        assertThat(run.resume(Resume.with(CONTINUE)).open()).containsExactly("end.dev.1");
    }

    @Test
    void theItemsOfThePhaseBehindAreNamedAndNotThoseOfTheNextOne() {
        String first = "{name: frames, each: {steps: [audit], items: [{id: a}, {id: b}]}}";
        String second = "{name: more, each: {steps: [dev], items: [{id: c}]}}";
        RunKit run = RunKit.started(Manifests.phases(first, second))
                .ends("audit", signal("verdict: approved"))
                .ends("audit", silent(SignalDetail.ABSENT));

        ResumePreview accepted = preview(run, Resume.with(CONTINUE));
        assertThat(accepted.kept()).containsExactly("item a", "item b");
        assertThat(accepted.redone()).isEmpty();
        assertThat(run.resume(Resume.with(CONTINUE)).open()).containsExactly("more.c.dev.1");
    }

    @Test
    void itemsThatUsedUpTheirAttemptsAreRedoneOnlyWhereTheyAreReset() {
        RunKit run = RunKit.started("retry: {stopConditions: {maxRejectRate: 0, maxConsecutiveFails: 0}}\n"
                        + Manifests.phases("{name: frames, each: {steps: [audit], maxAttempts: 1,"
                                + " items: [{id: a}, {id: b}, {id: c, dependsOn: [a]}]}}"))
                .ends("audit", signal("verdict: rejected"))
                .ends("audit", signal("verdict: rejected"));
        assertThat(run.subtype()).isEqualTo("error_dependency_blocked");

        assertThat(preview(run, Resume.plain()).redone()).isEmpty();
        assertThat(preview(run, Resume.plain().force()).redone()).isEmpty();
        assertThat(preview(run, Resume.plain().resetItems("a")).redone()).containsExactly("item a", "item c");
    }

    @Test
    void itSaysInWordsWhatTheResumeFollows() {
        RunKit paused = loop().pause().ends("dev", exit(0));
        assertThat(preview(paused, Resume.plain()).why()).isEqualTo("after pause requested (operator): continue");

        RunKit waiting =
                RunKit.started(Manifests.loop("maxIterations: 3")).ends("dev", provider(OptionalLong.of(1000)));
        assertThat(preview(waiting, Resume.plain()).why()).isEqualTo("the retry is made at once: continue");
    }

    @Test
    void aSignalFileThatAnotherRunHasIsMissingWhateverIsForced() {
        RunKit run = loop().pause().ends("dev", exit(0)).signalInUse("/work/judge.json", "other-1");

        ResumePreview refused = preview(run, Resume.plain().force());
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.missing()).singleElement().asString().contains("/work/judge.json", "other-1");
        assertThat(preview(run, Resume.with(STOP_LOOP_NOW)).allowed()).isTrue();

        RunKit held = RunKit.held(Manifests.loop("maxIterations: 3")).signalInUse("/work/judge.json", "other-1");
        assertThat(preview(held, Resume.plain()).allowed()).isFalse();
        assertThat(held.resume(Resume.plain()).refused().code()).isEqualTo(RefusalCode.SIGNAL_IN_USE);
    }
}
