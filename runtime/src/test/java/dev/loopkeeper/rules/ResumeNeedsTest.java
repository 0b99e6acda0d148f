package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.lasting;
import static dev.loopkeeper.rules.StepEnd.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.checkpoint.RunExplanation;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.ItemStarted;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepStatus;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.StopCause;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The last column of the table of terminations: what a resume needs, refused without it and allowed with it. */
class ResumeNeedsTest {
    private static final StepEnd PROGRESS = signal("determination: PROGRESS");

    private static RunKit loop(String manifest) {
        return RunKit.started(manifest + Manifests.loop("maxIterations: 1")).ends("dev", exit(0));
    }

    private static RunKit each(String manifest, int maxAttempts) {
        return RunKit.started(manifest
                + Manifests.phases("{name: frames, each: {steps: [audit], items: [{id: f1}, {id: f2, dependsOn: [f1]}],"
                        + " maxAttempts: " + maxAttempts + "}}"));
    }

    private static RunKit spinning() {
        RunKit run = RunKit.started(
                Manifests.phases("{name: build, loop: {steps: [judge], maxIterations: 9, noProgress: 2}}"));
        return run.ends("judge", PROGRESS.withDigest("same")).ends("judge", PROGRESS.withDigest("same"));
    }

    private static RunKit reporting(String subtype) {
        return RunKit.started(Manifests.loop("maxIterations: 1")).ends("dev", lasting(subtype, "unclassified"));
    }

    private static RunKit tooLong() {
        StepEnd full = lasting("error_prompt_too_long", "context-overflow");
        return RunKit.started(Manifests.loop("maxIterations: 1"))
                .ends("dev", full)
                .ends("dev", full)
                .ends("cheap", full);
    }

    private static RunKit withText(String reasonCode) {
        return RunKit.started(Manifests.loop("maxIterations: 1")
                        + "reasons: [{code: out-of-paper, category: capacity}, {code: no-licence, category: fatal},"
                        + " {code: rain, category: retryable}]\n")
                .ends("dev", exit(0))
                .ends("judge", signal("terminal: {reasonCode: " + reasonCode + ", summary: so it is}"));
    }

    private static RunKit lost() {
        return RunKit.started("retry: {stopConditions: {maxConsecutiveFails: 0, maxRejectRate: 0}}\n"
                        + Manifests.phases("{name: frames, each: {steps: [audit], items: [{id: f1}], maxAttempts: 1}}"))
                .ends("audit", signal("verdict: rejected"));
    }

    private static Arguments row(String subtype, Supplier<RunKit> run, String missing, Resume... enough) {
        return Arguments.of(subtype, run, missing, enough);
    }

    static Stream<Arguments> rows() {
        String rejecting = "retry: {stopConditions: {maxConsecutiveFails: 0, minAttempted: 1}}\n";
        Resume plain = Resume.plain();
        Resume withFeedback = plain.feedback("try otherwise");
        return Stream.of(
                row(
                        "error_max_turns",
                        () -> loop("").ends("judge", PROGRESS),
                        "maxIterations above 1",
                        withFeedback,
                        plain.maxIterations(2),
                        plain.maxIterations(0)),
                row(
                        "error_max_budget_usd",
                        () -> loop("budget: {costUsd: 1}\n").ends("judge", PROGRESS.costing(2)),
                        "a cost cap above $2.00 (budget.costUsd)",
                        plain.costUsd(2.5)),
                row(
                        "error_max_retries",
                        ResumeNeedsTest::lost,
                        "maxAttempts above 1",
                        plain.maxAttempts(2),
                        plain.resetItems("f1")),
                row(
                        "error_stop_condition",
                        () -> RunKit.started(rejecting
                                        + Manifests.phases("{name: frames, each: {steps: [audit], items: [{id: f1},"
                                                + " {id: f2}], maxAttempts: 1}}"))
                                .ends("audit", signal("verdict: failed")),
                        "a raised threshold",
                        plain.maxRejectRate(0),
                        plain.resetStatistics()),
                row(
                        "error_consecutive_mistakes",
                        () -> each("retry: {stopConditions: {maxConsecutiveFails: 1}}\n", 2)
                                .ends("audit", signal("verdict: failed")),
                        "",
                        plain),
                row("error_no_progress", ResumeNeedsTest::spinning, "feedback", withFeedback),
                row(
                        "error_max_structured_output_retries",
                        () -> reporting("error_max_structured_output_retries"),
                        "feedback",
                        withFeedback),
                row("error_prompt_too_long", ResumeNeedsTest::tooLong, "feedback", withFeedback),
                row(
                        "error_thinking_starved",
                        () -> reporting("error_thinking_starved"),
                        "a changed manifest",
                        plain.force()),
                row("error_during_execution", () -> withText("execution-error"), "", plain),
                row("error_schema_validation", () -> withText("schema-validation"), "", plain),
                row(
                        "error_interrupted",
                        () -> loop("").stop(StopCause.SIGNAL, false).ends("judge", StepEnd.by(ExitCause.STOPPED)),
                        "",
                        plain),
                row(
                        "error_operator_stop",
                        () -> loop("").stop().ends("judge", StepEnd.by(ExitCause.STOPPED)),
                        "",
                        plain),
                row(
                        "error_dependency_blocked",
                        () -> each("retry: {stopConditions: {maxRejectRate: 0}}\n", 1)
                                .ends("audit", signal("verdict: rejected")),
                        "resetItems with one of f1",
                        plain.resetItems("f1")),
                row("error_provider_unavailable", () -> withText("provider-unavailable"), "", plain),
                row("error_crashed", () -> withText("crashed"), "", plain),
                row(
                        "error_gate_failed",
                        () -> RunKit.started(Manifests.phases("{name: verify, gate: gatekeeper}"))
                                .ends("gatekeeper", exit(1)),
                        "",
                        plain),
                row(
                        "error_critical_phase",
                        () -> RunKit.started(Manifests.phases("{name: plan, task: dev}"))
                                .ends("dev", exit(1)),
                        "",
                        plain),
                row("error_halted", () -> reporting("error_halted"), "acknowledge", plain.acknowledge()),
                row(
                        "error_compaction_failed",
                        () -> reporting("error_compaction_failed"),
                        "acknowledge",
                        plain.acknowledge()),
                row("error_provider_auth", () -> reporting("error_provider_auth"), "acknowledge", plain.acknowledge()),
                row(
                        "error_infrastructure",
                        () -> reporting("error_infrastructure"),
                        "acknowledge",
                        plain.acknowledge()),
                row("error_out_of_paper", () -> withText("out-of-paper"), "feedback", withFeedback),
                row("error_no_licence", () -> withText("no-licence"), "acknowledge", plain.acknowledge()),
                row("error_rain", () -> withText("rain"), "", plain));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void aResumeIsRefusedWithoutWhatItNeedsAndAllowedWithIt(
            String subtype, Supplier<RunKit> runs, String missing, Resume[] enough) {
        RunKit run = runs.get();
        assertThat(run.subtype()).isEqualTo(subtype);
        if (!missing.isEmpty()) {
            assertThat(run.resume(Resume.plain()).refused().code()).isEqualTo(RefusalCode.RESUME_PRECONDITION);
            assertThat(run.missing().get(0)).startsWith(missing);
            assertThat(run.resume(Resume.plain().dryRun())
                            .last()
                            .preview()
                            .orElseThrow()
                            .allowed())
                    .isFalse();
            assertThat(run.ended().subtype()).isEqualTo(subtype);
            assertThat(RunExplanation.diagnosis(run.state()).orElseThrow())
                    .startsWith("ended, ")
                    .contains(run.ended().reasonCode().orElseThrow())
                    .contains("; a resume requires " + missing);
        }
        for (Resume request : enough) {
            RunKit again = runs.get().resume(request);
            assertThat(again.status()).isEqualTo(RunStatus.RUNNING);
            assertThat(again.state().execution()).isEqualTo(2);
            assertThat(again.types()).startsWith("run.resumed");
        }
    }

    @Test
    void forceOverridesAndIsRecorded() {
        RunKit run = spinning().resume(Resume.plain().force());

        assertThat(run.lastEvent(RunResumed.class).overridden()).contains("feedback");
        assertThat(run.open()).containsExactly("build.3.judge.1");
    }

    @Test
    void aCompletedRunIsNotResumed() {
        RunKit run = loop("").ends("judge", signal("determination: SUCCESS"))
                .resume(Resume.plain().force());

        assertThat(run.refused().code()).isEqualTo(RefusalCode.NOT_RESUMABLE);
    }

    @Test
    void aRunningRunIsNotResumed() {
        assertThat(loop("").resume(Resume.plain()).refused().code()).isEqualTo(RefusalCode.NOT_RESUMABLE);
    }

    @Test
    void reportsFinishedIterationsOnce() {
        assertThat(loop("").ends("judge", PROGRESS)
                        .resume(Resume.plain().maxIterations(1))
                        .missing())
                .containsExactly("maxIterations above 1, the number of finished iterations", "feedback");
    }

    @Test
    void anItemThatIsUnknownIsNamed() {
        assertThat(lost().resume(Resume.plain().resetItems("f1", "")).missing())
                .containsExactly("resetItems without a blank name, which is not an item of the current phase");
        assertThat(lost().resume(Resume.plain().resetItems("f1", "f9"))
                        .missing()
                        .get(0))
                .contains("f9");
    }

    @Test
    void aResetItemBeginsAtItsFirstAttemptUnderANewStepId() {
        RunKit run = lost().resume(Resume.plain().resetItems("f1"));

        assertThat(run.open()).containsExactly("frames.f1.audit.1-2");
        assertThat(run.state().ledger().statistics().ended().itemsAttempted()).isZero();
    }

    @Test
    void anItemThatIsResetInAPauseOverItBeginsAtItsFirstAttempt() {
        RunKit run = RunKit.started(Manifests.each("{id: f1}", "maxAttempts: 2"))
                .ends("dev", exit(0))
                .ends("audit", signal("userInputNeeded: true, status: partial"))
                .resume(Resume.plain().resetItems("f1"));

        assertThat(run.lastEvent(ItemStarted.class).attempt()).isOne();
        assertThat(run.state().ledger().statistics().itemsTotal()).isOne();
    }

    @Test
    void aQueuedRunIsStartedByAResumeWithItsLimits() {
        RunKit run = RunKit.queued(Manifests.loop("maxIterations: 1"))
                .resume(Resume.plain().feedback("hurry").costUsd(7));

        assertThat(run.launched().feedback()).isEqualTo("hurry");
        assertThat(run.state().limits().budget().costUsd()).hasValue(7);
    }

    @Test
    void keepsTheEndingUntilAResumedStepSucceeds() {
        RunKit run = spinning();
        assertThat(run.types()).containsSubsequence("terminal-exhaustion", "run.ended");

        run.resume(Resume.plain().feedback("otherwise"));
        assertThat(run.state().ledger().exhaustion().orElseThrow().reasonCode()).isEqualTo("no-progress");
        run.ends("judge", PROGRESS);

        assertThat(run.types()).contains("terminal-exhaustion.cleared");
        assertThat(run.state().ledger().exhaustion()).isEmpty();
        assertThat(run.state().ledger().exhaustionHistory())
                .singleElement()
                .satisfies(cleared -> assertThat(cleared.clearedBy()).isEqualTo("build.3.judge.1"));
    }

    @Test
    void aFailedStepDoesNotClearTheRecord() {
        RunKit run =
                loop("").stop().ends("judge", StepEnd.by(ExitCause.STOPPED)).resume(Resume.plain());

        run.ends("judge", StepEnd.by(ExitCause.KILLED));

        assertThat(run.state().ledger().exhaustion()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "terminal: {reasonCode: halted, summary: again}",
                "status: partial, error: {message: bad key, kind: auth}",
                "status: partial, error: {message: busy, kind: overloaded}"
            })
    void aStepThatSaysTheSameAgainDoesNotClearTheRecord(String text) {
        RunKit run = loop("").ends("judge", signal("terminal: {reasonCode: halted, summary: no licence}"))
                .resume(Resume.plain().acknowledge());

        run.ends("judge", signal(text));

        assertThat(run.types()).doesNotContain("terminal-exhaustion.cleared");
        assertThat(run.state().ledger().exhaustion()).isPresent();
    }

    @Test
    void aStepThatEndsTheRunKeepsTheEndingToo() {
        RunKit run = loop("").ends("judge", signal("terminal: {reasonCode: halted, summary: no licence}"))
                .resume(Resume.plain().acknowledge());

        run.ends(
                "judge",
                signal("determination: PROGRESS, error: {message: odd, kind: bad-request}")
                        .reporting(lasting("error_halted", "unclassified").report()));

        assertThat(run.subtype()).isEqualTo("error_halted");
        assertThat(run.lastEvent(StepFinished.class).result().status()).isEqualTo(StepStatus.ERROR);
        assertThat(run.types()).doesNotContain("terminal-exhaustion.cleared");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aResumeWithoutItsWorkspaceIsRefusedAlsoWhenItIsOnlyTried(boolean dryRun) {
        RunKit run = loop("").ends("judge", signal("determination: ANOMALY"));
        ResumeRequest request = ResumeRequest.PLAIN.with(copy -> copy.dryRun(dryRun));

        run.feed(new RunInput.Resume(run.now(), request, true, Optional.empty(), Optional.empty()));

        assertThat(run.refused().code()).isEqualTo(RefusalCode.RESUME_PRECONDITION);
        assertThat(run.missing()).containsExactly("the workspace /work, which is no longer a folder");
        run.feed(new RunInput.Resume(
                run.now(), request.action(ResumeAction.STOP_LOOP_NOW), true, Optional.empty(), Optional.empty()));
        assertThat(run.last().refusal()).isEmpty();
    }

    @Test
    void theLimitsOfALoopMayBeRaisedInAPause() {
        RunKit run = RunKit.started("retry: {stopConditions: {maxRejectRate: 0}}\n"
                        + Manifests.phases("{name: build, loop: {steps: [judge], maxIterations: 1}}"))
                .ends("judge", signal("determination: ANOMALY"))
                .resume(Resume.plain().maxIterations(3))
                .ends("judge", PROGRESS);

        assertThat(run.open()).containsExactly("build.3.judge.1");
        assertThat(run.ends("judge", PROGRESS).subtype()).isEqualTo("error_max_turns");
    }
}
