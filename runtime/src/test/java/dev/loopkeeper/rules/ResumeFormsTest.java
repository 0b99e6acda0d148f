package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.signal;
import static dev.loopkeeper.rules.StepEnd.silent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.rules.message.ResumeForm;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.statistics.StopConditionChanges;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.ResumeField;
import dev.loopkeeper.verdict.SignalDetail;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A form that knows no rules: what it fills in as instructed is accepted, and nothing less is. */
class ResumeFormsTest {
    /** A form as a page has it: the names of fields and the values that were put in. */
    private static ResumeRequest filled(List<ResumeField> fields) {
        Map<String, ResumeField> by = new HashMap<>();
        fields.forEach(field -> by.put(field.field(), field));
        StopConditionChanges thresholds = new StopConditionChanges(
                decimal(by, "stopConditions.maxRetryRate"),
                decimal(by, "stopConditions.maxRejectRate"),
                small(by, "stopConditions.maxConsecutiveFails"),
                small(by, "stopConditions.circuitBreaker"),
                OptionalInt.empty());
        return ResumeRequest.PLAIN.with(copy -> copy.feedback(
                        Optional.ofNullable(by.get("feedback")).map(field -> "try otherwise"))
                .costUsd(decimal(by, "budget.costUsd"))
                .tokens(whole(by, "budget.tokens"))
                .turns(whole(by, "budget.turns"))
                .time(Optional.ofNullable(by.get("budget.time"))
                        .map(field ->
                                Duration.ofMillis(field.minimum().orElseThrow().longValue())))
                .maxIterations(small(by, "maxIterations"))
                .maxAttempts(small(by, "maxAttempts"))
                .stopConditions(thresholds)
                .resetItems(Optional.ofNullable(by.get("resetItems"))
                        .map(field -> field.choices())
                        .orElse(List.of()))
                .resetStatistics(by.containsKey("resetStatistics"))
                .acknowledge(by.containsKey("acknowledge"))
                .waive(Optional.ofNullable(by.get("waive"))
                        .map(field -> field.choices().get(0)))
                .force(by.containsKey("force")));
    }

    private static OptionalDouble decimal(Map<String, ResumeField> by, String name) {
        return by.containsKey(name)
                ? OptionalDouble.of(by.get(name).minimum().orElseThrow().doubleValue())
                : OptionalDouble.empty();
    }

    private static OptionalLong whole(Map<String, ResumeField> by, String name) {
        return by.containsKey(name)
                ? OptionalLong.of(by.get(name).minimum().orElseThrow().longValue())
                : OptionalLong.empty();
    }

    private static OptionalInt small(Map<String, ResumeField> by, String name) {
        OptionalLong found = whole(by, name);
        return found.isPresent() ? OptionalInt.of((int) found.getAsLong()) : OptionalInt.empty();
    }

    /** Every way to fill in what is needed: of each need the first, or one of its alternatives. */
    private static List<List<ResumeField>> ways(List<ResumeField> needs) {
        List<List<ResumeField>> ways = List.of(List.of());
        for (ResumeField need : needs) {
            List<List<ResumeField>> longer = new ArrayList<>();
            for (List<ResumeField> way : ways) {
                Stream.concat(Stream.of(need), need.alternatives().stream()).forEach(choice -> {
                    List<ResumeField> more = new ArrayList<>(way);
                    more.add(choice);
                    longer.add(more);
                });
            }
            ways = longer;
        }
        return ways;
    }

    private static RunKit resumed(RunKit run, List<ResumeField> way) {
        Resume filled = new Resume(filled(way));
        boolean changes = way.stream().anyMatch(field -> field.field().equals("manifest"));
        return run.resume(changes ? filled.changed(run.state()) : filled);
    }

    private static Stream<Arguments> rows() {
        return ResumeNeedsTest.rows();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void whatAFormFillsInIsAcceptedAndNothingLess(
            String subtype, Supplier<RunKit> runs, String missing, Resume[] enough) {
        ResumeForm form = ResumeForms.of(runs.get().state());

        assertThat(form.needs().isEmpty()).as("needs of " + subtype).isEqualTo(missing.isEmpty());
        for (List<ResumeField> way : ways(form.needs())) {
            RunKit again = resumed(runs.get(), way);
            assertThat(again.status()).as(way.toString()).isEqualTo(RunStatus.RUNNING);
        }
        assertThat(form.effects()).containsOnlyKeys(ResumeAction.CONTINUE);
        assertThat(form.effects().get(ResumeAction.CONTINUE)).startsWith("launches ");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void whatMayBeGivenBesidesIsAcceptedToo(String subtype, Supplier<RunKit> runs, String missing, Resume[] enough) {
        ResumeForm form = ResumeForms.of(runs.get().state());
        for (ResumeField field : form.accepts()) {
            List<ResumeField> all = new ArrayList<>(form.needs());
            all.add(field);
            RunKit again = resumed(runs.get(), all);
            assertThat(again.last().refusal()).as(field.toString()).isEmpty();
        }
    }

    private static RunKit loop(String manifest) {
        return RunKit.started(manifest + Manifests.loop("maxIterations: 6")).ends("dev", exit(0));
    }

    @Test
    void aLoopThatRanOutNeedsMoreIterationsThanAreDoneOrAWord() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 1"))
                .ends("dev", exit(0))
                .ends("judge", signal("determination: PROGRESS"));

        assertThat(ResumeForms.of(run.state()).needs()).singleElement().satisfies(need -> {
            assertThat(need.field()).isEqualTo("maxIterations");
            assertThat(need.type()).isEqualTo(ResumeField.Type.INTEGER);
            assertThat(need.minimum()).contains(2L);
            assertThat(need.present()).contains(1L);
            assertThat(need.alternatives()).extracting(ResumeField::field).containsExactly("feedback");
        });
        assertThat(ResumeForms.of(run.state()).effects())
                .containsExactly(Map.entry(ResumeAction.CONTINUE, "launches dev, iteration 2 of 2"));
    }

    /** The announced launch fits the number of iterations that the command suggests. */
    @Test
    void theEffectHasTheSuggestedNumberOfIterations() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 1")).ends("dev", exit(0));
        run.ends("judge", signal("determination: PROGRESS"))
                .resume(Resume.plain().maxIterations(4));
        for (int iteration = 2; iteration <= 4; iteration++) {
            run.ends("dev", exit(0)).ends("judge", signal("determination: PROGRESS"));
        }

        assertThat(ResumeForms.of(run.state()).needs().get(0).suggested()).contains(8L);
        assertThat(ResumeForms.of(run.state()).effects())
                .containsExactly(Map.entry(ResumeAction.CONTINUE, "launches dev, iteration 5 of 8"));
    }

    /** Such a run ended again at the first iteration after its resume, and nothing had reported so. */
    @Test
    void anEndingByFailuresInARowOffersTheRateThatStaysExceeded() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 9"));
        for (int iteration = 1; iteration <= 3; iteration++) {
            run.ends("dev", exit(0)).ends("judge", signal("determination: STALLED"));
        }

        assertThat(run.subtype()).isEqualTo("error_consecutive_mistakes");
        ResumeForm form = ResumeForms.of(run.state());
        assertThat(form.needs()).isEmpty();
        assertThat(form.accepts())
                .extracting(ResumeField::field)
                .contains("stopConditions.maxRejectRate", "resetStatistics");
        run.resume(Resume.plain()).ends("dev", exit(0)).ends("judge", signal("determination: PROGRESS"));
        assertThat(run.subtype()).isEqualTo("error_stop_condition");
    }

    /** With a raised threshold alone the resume was accepted, launched nothing and ended the run again. */
    @Test
    void aThresholdIsNotEnoughWhereEveryAttemptIsUsedUp() {
        RunKit run = RunKit.started(Manifests.each("{id: f1}, {id: f2}, {id: f3}", "maxAttempts: 1"));
        run.ends("dev", exit(2)).ends("dev", exit(0)).ends("audit", signal("verdict: approved"));
        run.ends("dev", exit(0)).ends("audit", signal("verdict: approved"));

        assertThat(run.subtype()).isEqualTo("error_stop_condition");
        assertThat(ResumeForms.of(run.state()).needs())
                .extracting(ResumeField::field)
                .containsExactly("stopConditions.maxRejectRate", "maxAttempts");
        run.resume(Resume.plain().resetStatistics());
        assertThat(run.last().refusal().orElseThrow().message()).contains("maxAttempts above 1");
    }

    /** Items that are still to come are launched first; the lost one stays lost. */
    @Test
    void theEffectNamesTheItemThatIsLaunched() {
        RunKit run = RunKit.started(Manifests.each("{id: f1}, {id: f2}, {id: f3}, {id: f4}", "maxAttempts: 1"));
        run.ends("dev", exit(2)).ends("dev", exit(2)).ends("dev", exit(2));

        assertThat(ResumeForms.of(run.state()).effects()).containsValue("launches dev for item f4");
    }

    @Test
    void itemsThatAreLaunchedTogetherAreNamed() {
        RunKit run = RunKit.started(Manifests.each("{id: f1}, {id: f2}", "concurrency: 2"))
                .pause()
                .ends("frames.f1.dev.1", exit(0))
                .ends("frames.f2.dev.1", exit(0));

        assertThat(ResumeForms.of(run.state()).effects().get(ResumeAction.CONTINUE))
                .isEqualTo("launches audit for item f1, audit for item f2");
    }

    @Test
    void aCapIsToBeAWholeCentAboveWhatIsSpent() {
        RunKit run = loop("budget: {costUsd: 3}\n")
                .ends("judge", signal("determination: PROGRESS").costing(3.333));

        assertThat(ResumeForms.of(run.state()).needs()).singleElement().satisfies(need -> {
            assertThat(need.field()).isEqualTo("budget.costUsd");
            assertThat(need.minimum()).contains(3.34);
            assertThat(need.present()).contains(3.0);
        });
    }

    private static String accepted(RunKit run, String name) {
        return ResumeForms.of(run.state()).accepts().stream()
                .filter(field -> field.field().equals(name))
                .map(ResumeField::text)
                .collect(Collectors.joining());
    }

    @Test
    void aLimitThatIsNotReachedIsNotNamed() {
        RunKit run = loop("budget: {costUsd: 100}\n")
                .pause()
                .ends("judge", signal("determination: PROGRESS").costing(0.1));

        assertThat(accepted(run, "budget.costUsd")).isEqualTo("a cost cap above the $0.10 used so far");
    }

    @Test
    void unreportedUsageIsUnknownAndNot0() {
        RunKit run = loop("budget: {costUsd: 100, tokens: 500, turns: 10}\n")
                .pause()
                .uses("judge", Usage.UNKNOWN)
                .ends("judge", exit(0));

        assertThat(accepted(run, "budget.costUsd")).isEqualTo("a cost cap above the usage, which is not reported");
        assertThat(accepted(run, "budget.tokens")).isEqualTo("a token cap above the usage, which is not reported");
        assertThat(accepted(run, "budget.turns")).isEqualTo("a turn cap above the usage, which is not reported");
    }

    @Test
    void questionsAreAnsweredInOptionalFeedback() {
        RunKit run =
                loop("").ends("judge", signal("status: partial, userInputNeeded: true, questions: ['which?', 'why?']"));
        ResumeForm form = ResumeForms.of(run.state());

        assertThat(form.needs()).isEmpty();
        assertThat(form.accepts().get(0).field()).isEqualTo("feedback");
        assertThat(form.accepts().get(0).questions()).containsExactly("which?", "why?");
    }

    @Test
    void eachAllowedActionSaysWhatItLeadsTo() {
        RunKit run = loop("").ends("judge", silent(SignalDetail.ABSENT));

        assertThat(ResumeForms.of(run.state()).effects())
                .containsExactly(
                        Map.entry(
                                ResumeAction.RETRY_ITERATION,
                                "reruns the iteration from its first step and keeps the record of this one; launches dev, iteration 1 of 6"),
                        Map.entry(ResumeAction.CONTINUE, "launches dev, iteration 2 of 6"),
                        Map.entry(ResumeAction.STOP_LOOP_NOW, "stops the run; it can be resumed later"));
    }

    @Test
    void aRetryOfAnItemRepeatsItsAttemptFromTheFirstStep() {
        RunKit run = RunKit.started(Manifests.each("{id: f1}", "concurrency: 1"))
                .ends("frames.f1.dev.1", exit(0))
                .ends("frames.f1.audit.1", silent(SignalDetail.ABSENT));

        assertThat(ResumeForms.of(run.state()).effects().get(ResumeAction.RETRY_ITERATION))
                .isEqualTo(
                        "reruns the attempt from its first step and keeps the record of this one; launches dev for item f1");
    }

    @Test
    void leavingTheLastLoopSaysOnceThatTheRunEnds() {
        RunKit run = loop("").ends("judge", signal("determination: ANOMALY"));

        assertThat(ResumeForms.of(run.state()).effects().get(ResumeAction.FINISH_LOOP))
                .isEqualTo("leaves build as if it had succeeded; the run ends, all phases are complete (stop)");
    }

    @Test
    void everyActionThatContinuesNeedsBudget() {
        RunKit run = loop("budget: {costUsd: 3}\n")
                .pause()
                .ends("judge", silent(SignalDetail.ABSENT).costing(3));

        assertThat(ResumeForms.of(run.state()).needs()).singleElement().satisfies(need -> {
            assertThat(need.field()).isEqualTo("budget.costUsd");
            assertThat(need.actions()).containsExactly(ResumeAction.RETRY_ITERATION, ResumeAction.CONTINUE);
        });
    }

    @Test
    void aGateMayBeWaivedByItsName() {
        RunKit run = RunKit.started(Manifests.phases("{name: verify, gate: gatekeeper, retries: 0}"))
                .ends("gatekeeper", exit(1));

        assertThat(ResumeForms.of(run.state()).accepts())
                .filteredOn(field -> field.field().equals("waive"))
                .singleElement()
                .extracting(field -> field.choices())
                .isEqualTo(List.of("verify"));
    }

    private static void offersToContinue(Supplier<RunKit> runs, String effect) {
        ResumeForm form = ResumeForms.of(runs.get().state());
        assertThat(form.needs()).isEmpty();
        assertThat(form.effects()).containsExactly(Map.entry(ResumeAction.CONTINUE, effect));
        form.accepts()
                .forEach(field -> assertThat(
                                resumed(runs.get(), List.of(field)).last().refusal())
                        .as(field.toString())
                        .isEmpty());
    }

    @Test
    void aRunThatWaitsForARetryOffersToContinueAtOnce() {
        offersToContinue(
                () -> loop("").ends("judge", StepEnd.provider(OptionalLong.of(3_600_000))),
                "launches judge, iteration 1 of 6");
    }

    @Test
    void aRunThatWasSubmittedWithoutAStartOffersToStart() {
        offersToContinue(() -> RunKit.held(Manifests.loop("maxIterations: 6")), "launches dev, iteration 1 of 6");
    }

    @Test
    void anAutomaticallyResumingRunNeedsNothing() {
        ResumeForm form = ResumeForms.of(loop("").state());

        assertThat(form).isEqualTo(new ResumeForm(List.of(), List.of(), List.of(), Map.of()));
    }
}
