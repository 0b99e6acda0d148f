package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.run.ItemFinished;
import dev.loopkeeper.run.PhaseFinished;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.ItemStatus;
import dev.loopkeeper.run.progress.PhaseOutcome;
import dev.loopkeeper.run.step.LastVerdict;
import dev.loopkeeper.statistics.RunStatistics;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EachPhaseTest {
    private static final StepEnd APPROVED = signal("verdict: approved");
    private static final StepEnd REJECTED = signal("verdict: rejected");
    private static final String LENIENT =
            "retry: {stopConditions: {maxConsecutiveFails: 0, maxRejectRate: 0, maxRetryRate: 0}}\n";

    private static RunKit two(String keys) {
        return RunKit.started(LENIENT + Manifests.each("{id: f1}, {id: f2, dependsOn: [f1]}", keys));
    }

    private static RunKit three(int concurrency) {
        return RunKit.started(LENIENT + Manifests.each("{id: f1}, {id: f2}, {id: f3}", "concurrency: " + concurrency));
    }

    @Test
    void anItemWaitsForWhatItDependsOn() {
        RunKit run = two("concurrency: 2");
        assertThat(run.open()).containsExactly("frames.f1.dev.1");

        run.ends("dev", exit(0)).ends("audit", APPROVED);

        assertThat(run.open()).containsExactly("frames.f2.dev.1");
    }

    @Test
    void theSummaryOfThousandsOfBlockedItemsIsOneShortLine() {
        String blocked = IntStream.range(0, 5_000)
                .mapToObj(number -> "{id: blocked-" + number + ", dependsOn: [f1]}")
                .collect(Collectors.joining(", "));
        RunKit run = RunKit.started(LENIENT + Manifests.each("{id: f1}, " + blocked, "maxAttempts: 1"))
                .ends("dev", exit(0))
                .ends("audit", REJECTED);

        assertThat(run.subtype()).isEqualTo("error_dependency_blocked");
        assertThat(run.ended().summary())
                .startsWith("f1: rejected (1 attempt); blocks blocked-0, blocked-1, ")
                .endsWith(" more")
                .hasSizeLessThanOrEqualTo(240);
    }

    /** The summary named the items that only waited, not the one that failed and why. */
    @Test
    void theSummaryNamesTheCauseBeforeTheItemsThatItBlocks() {
        String concern = "verdict: rejected, keyConcern: CSV export loses the header row";
        String items = "{id: export}, {id: share, dependsOn: [export]}, {id: mail, dependsOn: [share]}";
        RunKit run = RunKit.started(LENIENT + Manifests.each(items, "maxAttempts: 2"))
                .ends("dev", exit(0))
                .ends("audit", signal(concern))
                .ends("dev", exit(0))
                .ends("audit", signal(concern));

        assertThat(run.ended().summary())
                .isEqualTo("export: CSV export loses the header row (2 attempts); blocks share, mail");
        assertThat(run.ended().alsoTriggered()).contains("max-retries-exhausted");
    }

    @Test
    void aListOfLostItemsBeginsWithTheCauseOfTheFirst() {
        String concern = "verdict: failed, keyConcern: " + "long ".repeat(100);
        RunKit run = RunKit.started(LENIENT + Manifests.each("{id: f1}, {id: f2}, {id: f3}", "maxAttempts: 1"))
                .ends("dev", exit(0))
                .ends("audit", signal(concern))
                .ends("dev", exit(0))
                .ends("audit", REJECTED)
                .ends("dev", exit(0))
                .ends("audit", REJECTED);

        assertThat(run.ended().summary())
                .startsWith("f1: long long ")
                .endsWith(" (1 attempt); also f2, f3")
                .hasSizeLessThanOrEqualTo(240);
    }

    @Test
    void itemsAtOnceHaveASignalFileEach() {
        assertThat(signalFiles(2)).containsExactlyInAnyOrder("audit.f1.json", "audit.f2.json");
        assertThat(signalFiles(1)).containsExactly("audit.json");
    }

    private static List<String> signalFiles(int concurrency) {
        RunKit run = RunKit.started(Manifests.phases("{name: frames, each: {steps: [audit], concurrency: " + concurrency
                + ", items: [{id: f1}, {id: f2}]}}"));
        return run.state().steps().values().stream()
                .map(step -> StepSpecs.of(run.state(), step)
                        .agentSpec()
                        .program()
                        .signal()
                        .orElseThrow())
                .toList();
    }

    @Test
    void anItemIsTriedUntilItIsApproved() {
        RunKit run = two("maxAttempts: 3").ends("dev", exit(0)).ends("audit", REJECTED);
        assertThat(run.open()).containsExactly("frames.f1.dev.2");

        run.ends("dev", exit(0)).ends("audit", APPROVED).ends("dev", exit(0)).ends("audit", APPROVED);

        assertThat(run.subtype()).isEqualTo("stop");
        assertThat(run.state().ledger().statistics().ended().itemsRetried()).isEqualTo(1);
    }

    @Test
    void aSuccessByExitCodeIsTheLastVerdict() {
        RunKit run = RunKit.started(LENIENT
                        + Manifests.phases("{name: frames, each: {steps: [dev], maxAttempts: 3, items: [{id: f1}]}}"))
                .ends("dev", exit(1));
        assertThat(RunView.of(run.state()).last().orElseThrow().verdict()).isEqualTo("FAILED");

        run.ends("dev", exit(0));

        LastVerdict last = RunView.of(run.state()).last().orElseThrow();
        assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(last.stepId()).isEqualTo("frames.f1.dev.2");
        assertThat(last.verdict()).isEqualTo("approved");
        assertThat(last.concern()).isEmpty();
    }

    @ParameterizedTest(name = "a breaker of {0}, {1} at once: {2} launches, {3} approved, {4}")
    @CsvSource({
        "1, 1, 1, 0, error_stop_condition",
        "2, 1, 2, 1, error_stop_condition",
        "2, 2, 2, 0, error_stop_condition",
        "4, 3, 4, 1, error_stop_condition",
        "7, 4, 7, 3, error_stop_condition",
        "8, 1, 8, 4, stop",
        "8, 4, 8, 4, stop",
        "9, 2, 8, 4, stop",
    })
    void theCircuitBreakerIsCheckedBeforeEachLaunch(
            int breaker, int concurrency, int launches, int approved, String ending) {
        RunKit run = RunKit.started("retry: {stopConditions: {circuitBreaker: " + breaker + "}}\n"
                + Manifests.each("{id: f1}, {id: f2}, {id: f3}, {id: f4}", "concurrency: " + concurrency));

        while (!run.open().isEmpty()) {
            String stepId = run.open().get(0);
            run.ends(stepId, stepId.contains("audit") ? APPROVED : exit(0));
        }

        assertThat(run.subtype()).isEqualTo(ending);
        assertThat(run.count("step.started")).isEqualTo(launches);
        assertThat(run.state().ledger().statistics().totalAttempts()).isEqualTo(launches);
        // What ran at that moment was completed and counted.
        assertThat(run.state().ledger().statistics().ended().itemsApproved()).isEqualTo(approved);
    }

    @Test
    void anAttemptThatTheCircuitBreakerHaltsContinuesAfterItsLastStep() {
        RunKit run = RunKit.started("retry: {stopConditions: {circuitBreaker: 1}}\n" + Manifests.each("{id: f1}", ""))
                .ends("dev", exit(0))
                .resume(Resume.plain().resetStatistics());

        assertThat(run.open()).containsExactly("frames.f1.audit.1");
    }

    @Test
    void anApprovalInTheLastAllowedLaunchIsASuccess() {
        String breaker = "retry: {stopConditions: {circuitBreaker: 4}}\n";
        RunKit alone = RunKit.started(breaker + Manifests.each("{id: f1}, {id: f2}", "concurrency: 2"))
                .inTurn(exit(0), "dev", "dev")
                .inTurn(APPROVED, "audit", "audit");
        assertThat(alone.subtype()).isEqualTo("stop");

        RunKit last = RunKit.started(breaker + Manifests.each("{id: f1}, {id: f2}", "concurrency: 2"))
                .inTurn(exit(0), "dev", "dev")
                .ends("audit", APPROVED);
        assertThat(last.status()).isEqualTo(RunStatus.RUNNING);
        last.ends("audit", REJECTED);
        assertThat(last.subtype()).isEqualTo("error_stop_condition");
        assertThat(last.resume(Resume.plain().resetStatistics()).open()).containsExactly("frames.f2.dev.2");
    }

    /** Nothing is left to be tried again; a rate that a rejection leaves behind halts the run as ever. */
    @ParameterizedTest(name = "{0} at once, the last item ends {1}: {2}")
    @CsvSource({
        "1, approved, stop",
        "3, approved, stop",
        "1, rejected, error_stop_condition",
        "3, rejected, error_stop_condition",
    })
    void aHighRetryRateHaltsNoPhaseWhoseLastItemIsApproved(int concurrency, String last, String ending) {
        String limits = "retry: {stopConditions: {maxRetryRate: 0.5, maxRejectRate: 0, maxConsecutiveFails: 0}}\n";
        RunKit run = RunKit.started(
                limits + Manifests.each("{id: f1}, {id: f2}, {id: f3}", "maxAttempts: 2, concurrency: " + concurrency));
        while (!run.open().isEmpty()) {
            String stepId = run.open().get(0);
            boolean approved = stepId.contains(".f3.audit.2") ? last.equals("approved") : stepId.contains("audit.2");
            run.ends(stepId, stepId.contains("dev") ? exit(0) : approved ? APPROVED : REJECTED);
        }

        assertThat(run.subtype()).isEqualTo(ending);
        assertThat(run.state().ledger().statistics().ended().itemsAttempted()).isEqualTo(3);
    }

    @Test
    void theCircuitBreakerPrecedesALostItem() {
        RunKit run = RunKit.started("retry: {stopConditions: {circuitBreaker: 3}}\n"
                        + Manifests.each("{id: f1}, {id: f2}", "concurrency: 1, maxAttempts: 1"))
                .ends("dev", exit(1))
                .ends("dev", exit(0))
                .ends("audit", APPROVED);

        assertThat(run.subtype()).isEqualTo("error_stop_condition");
        assertThat(run.ended().alsoTriggered()).contains("max-retries-exhausted");
    }

    @Test
    void theCircuitBreakerCompletesTheItemsThatRunWhenForced() {
        RunKit run = RunKit.started("retry: {stopConditions: {circuitBreaker: 2}}\n"
                        + Manifests.each("{id: f1}, {id: f2}, {id: f3}, {id: f4}", "concurrency: 2"))
                .ends("frames.f1.dev.1", exit(0))
                .ends("frames.f2.dev.1", exit(0))
                .resume(Resume.plain().force());

        run.inTurn(APPROVED, "audit", "audit").inTurn(exit(0), "dev", "dev");

        assertThat(run.subtype()).isEqualTo("error_stop_condition");
        assertThat(run.state().ledger().statistics().totalAttempts()).isEqualTo(6);
        assertThat(run.state().ledger().statistics().ended().itemsApproved()).isEqualTo(2);
    }

    @Test
    void aFailedStepEndsTheAttempt() {
        RunKit run = two("maxAttempts: 2").ends("dev", exit(1));

        assertThat(run.open()).containsExactly("frames.f1.dev.2");
    }

    @Test
    void aRejectionByAnEarlierStepEndsTheAttempt() {
        RunKit run = RunKit.started(
                        LENIENT + Manifests.phases("{name: frames, each: {steps: [audit, dev], items: [{id: f1}]}}"))
                .ends("audit", REJECTED);

        assertThat(run.open()).containsExactly("frames.f1.audit.2");
    }

    @Test
    void aHaltByTheLastItemNamesTheAttemptsThatItUsedUp() {
        RunKit run = RunKit.started("retry: {stopConditions: {maxConsecutiveFails: 1}}\n"
                        + Manifests.phases("{name: frames, each: {steps: [audit], maxAttempts: 1, items: [{id: f1}]}}"))
                .ends("audit", REJECTED);

        assertThat(run.subtype()).isEqualTo("error_consecutive_mistakes");
        assertThat(run.ended().alsoTriggered()).containsExactly("max-retries-exhausted");
    }

    @Test
    void anItemBehindALostOneIsBlockedAndEndsTheRun() {
        RunKit run = two("maxAttempts: 1").ends("dev", exit(0)).ends("audit", REJECTED);

        assertThat(run.subtype()).isEqualTo("error_dependency_blocked");
        assertThat(run.ended().alsoTriggered()).containsExactly("max-retries-exhausted");
        assertThat(run.state().ledger().exhaustion().orElseThrow().workUnit()).contains("f2");
        assertThat(run.history()).filteredOn(StepStarted.class::isInstance).hasSize(2);
        assertThat(run.state().ledger().statistics().ended().itemsAttempted()).isEqualTo(1);
        assertThat(run.history())
                .filteredOn(ItemFinished.class::isInstance)
                .extracting(event -> EventJson.write(event).path("outcome").asText())
                .containsExactly("rejected", "blocked");
    }

    @Test
    void anItemThatUsedUpItsAttemptsEndsTheRunOnceNothingElseCanRun() {
        RunKit run = three(1).ends("dev", exit(0))
                .ends("audit", REJECTED)
                .inTurn(exit(1), "dev", "dev")
                .ends("frames.f2.dev.1", exit(0))
                .ends("audit", APPROVED)
                .ends("dev", exit(0))
                .ends("audit", APPROVED);

        assertThat(run.subtype()).isEqualTo("error_max_retries");
        assertThat(run.state().ledger().exhaustion().orElseThrow().workUnit()).contains("f1");
    }

    @Test
    void aPhaseThatIsNotCriticalContinuesWithoutItsLostItems() {
        RunKit run = RunKit.started(LENIENT
                        + Manifests.phases(
                                "{name: frames, critical: false, each: {steps: [audit], items: [{id: f1}, {id: f2,"
                                        + " dependsOn: [f1]}], maxAttempts: 1}}",
                                "{name: end, task: dev}"))
                .ends("audit", REJECTED);

        assertThat(run.open()).containsExactly("end.dev.1");
        assertThat(run.lastEvent(PhaseFinished.class).outcome()).isEqualTo(PhaseOutcome.FAILED);
    }

    /** Each pass counted the items again. */
    @Test
    void aGateThatRepeatsThePhaseCountsItsItemsOnce() {
        RunKit run = RunKit.started(LENIENT
                + Manifests.phases(
                        "{name: frames, each: {steps: [audit], items: [{id: f1}, {id: f2}, {id: f3}]}}",
                        "{name: verify, gate: gatekeeper, retries: 2}"));
        run.ends("audit", REJECTED).inTurn(APPROVED, "audit", "audit", "audit");
        assertThat(run.state().ledger().statistics().retryRate()).isEqualTo(1.0 / 3);
        run.ends("gatekeeper", exit(1)).ends("audit", APPROVED);

        RunStatistics during = run.state().ledger().statistics();
        assertThat(List.of(
                        during.itemsTotal(),
                        during.ended().itemsAttempted(),
                        during.ended().itemsApproved()))
                .containsExactly(3, 1, 1);
        assertThat(during.retryRate()).isZero();

        run.inTurn(APPROVED, "audit", "audit").ends("gatekeeper", exit(1)).inTurn(APPROVED, "audit", "audit", "audit");
        RunStatistics after = run.ends("gatekeeper", exit(0)).state().ledger().statistics();
        assertThat(List.of(
                        after.itemsTotal(),
                        after.ended().itemsAttempted(),
                        after.ended().itemsApproved()))
                .containsExactly(3, 3, 3);
        assertThat(after.totalAttempts()).isEqualTo(13);
    }

    @Test
    void asManyItemsRunAsTheManifestAllows() {
        RunKit run = three(2);

        assertThat(run.open()).containsExactly("frames.f1.dev.1", "frames.f2.dev.1");
        run.ends("frames.f1.dev.1", exit(0)).ends("frames.f1.audit.1", APPROVED);
        assertThat(run.open()).containsExactly("frames.f2.dev.1", "frames.f3.dev.1");
    }

    @Test
    void progressApprovesStalledRejectsAndAnAnomalyFails() {
        assertThat(afterOneAttempt("determination: PROGRESS")).isEqualTo(ItemStatus.APPROVED);
        assertThat(afterOneAttempt("determination: MILESTONE_SUCCESS")).isEqualTo(ItemStatus.APPROVED);
        assertThat(afterOneAttempt("determination: STALLED")).isEqualTo(ItemStatus.REJECTED);
        assertThat(afterOneAttempt("determination: ANOMALY")).isEqualTo(ItemStatus.FAILED);
        assertThat(afterOneAttempt("verdict: failed")).isEqualTo(ItemStatus.FAILED);
        assertThat(afterOneAttempt("status: completed")).isEqualTo(ItemStatus.APPROVED);
        assertThat(afterOneAttempt("status: blocked")).isEqualTo(ItemStatus.FAILED);
        assertThat(afterOneAttempt("status: blocked, determination: PROGRESS")).isEqualTo(ItemStatus.APPROVED);
        assertThat(afterOneAttempt("readiness: BLOCKED")).isEqualTo(ItemStatus.FAILED);
        assertThat(afterOneAttempt("readiness: NEEDS_REFINEMENT")).isEqualTo(ItemStatus.FAILED);
        assertThat(afterOneAttempt("readiness: READY")).isEqualTo(ItemStatus.APPROVED);
    }

    private static ItemStatus afterOneAttempt(String fields) {
        RunKit run = RunKit.started(LENIENT
                        + Manifests.phases("{name: frames, each: {steps: [audit], items: [{id: f1}], maxAttempts: 1}}"))
                .ends("audit", signal(fields));
        return run.lastEvent(ItemFinished.class).status();
    }

    @Test
    void twoPausesAtOnceAreSeenOneAfterTheOther() {
        StepEnd asks = signal("verdict: approved, userInputNeeded: true, questions: [why]");
        RunKit run = three(2).ends("frames.f1.dev.1", asks);
        assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
        assertThat(run.types()).contains("run.pausing");
        run.ends("frames.f2.dev.1", asks);
        assertThat(run.paused().stepId()).contains("frames.f1.dev.1");

        run.resume(Resume.plain().feedback("because"));
        assertThat(run.paused().stepId()).contains("frames.f2.dev.1");
        assertThat(run.open()).isEmpty();

        run.resume(Resume.plain());
        assertThat(run.open()).containsExactly("frames.f1.dev.1-2", "frames.f2.dev.1-2");
    }

    @Test
    void nothingNewIsLaunchedWhileAPauseIsPending() {
        RunKit run = three(2).ends("frames.f1.dev.1", signal("verdict: approved, userInputNeeded: true"))
                .ends("frames.f2.dev.1", exit(0));

        assertThat(run.paused().reason()).isEqualTo(PauseReason.USER_INPUT_NEEDED);
        assertThat(run.count("step.started")).isEqualTo(2);
        run.resume(Resume.plain());
        assertThat(run.open()).containsExactly("frames.f1.dev.1-2", "frames.f2.audit.1");
    }

    @Test
    void aHaltCompletesAndCountsWhatRunsAndStartsNothingNew() {
        RunKit run = RunKit.started("retry: {stopConditions: {maxRejectRate: 0.3, minAttempted: 1}}\n"
                        + Manifests.each("{id: f1}, {id: f2}, {id: f3}", "concurrency: 2, maxAttempts: 1"))
                .ends("frames.f1.dev.1", exit(1));
        assertThat(run.status()).isEqualTo(RunStatus.STOPPING);
        assertThat(run.commands(RunCommand.StopStep.class)).isEmpty();

        run.ends("frames.f2.dev.1", exit(0)).ends("frames.f2.audit.1", APPROVED);

        assertThat(run.subtype()).isEqualTo("error_stop_condition");
        assertThat(run.state().ledger().statistics().ended().itemsAttempted()).isEqualTo(2);
        assertThat(((EachWork) run.state().cursor().work()).item("f3").status()).isEqualTo(ItemStatus.PENDING);
    }

    @Test
    void anEarlierItemIsNotBegunInTheMomentThatALaterOneHaltsTheRun() {
        RunKit run = RunKit.started("retry: {stopConditions: {maxConsecutiveFails: 1}}\n"
                        + Manifests.each("{id: f1}, {id: f2}", "concurrency: 1, maxAttempts: 2"))
                .ends("dev", exit(1));

        assertThat(run.subtype()).isEqualTo("error_consecutive_mistakes");
        assertThat(run.count("step.started")).isEqualTo(1);
    }

    @Test
    void finishLoopLeavesTheItemsAsTheyAre() {
        RunKit run = three(1).pause().ends("dev", exit(0)).resume(Resume.with(ResumeAction.FINISH_LOOP));

        assertThat(run.subtype()).isEqualTo("stop");
        assertThat(run.state()
                        .cursor()
                        .pastItems("frames")
                        .orElseThrow()
                        .item("f2")
                        .status())
                .isEqualTo(ItemStatus.PENDING);
    }
}
