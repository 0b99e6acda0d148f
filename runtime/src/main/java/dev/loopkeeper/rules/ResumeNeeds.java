package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.Budget;
import dev.loopkeeper.manifest.GatePhase;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.ItemWork;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.run.progress.Work;
import dev.loopkeeper.statistics.RunStatistics;
import dev.loopkeeper.statistics.StopConditions;
import dev.loopkeeper.statistics.StopReason;
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.termination.ConsumerReason;
import dev.loopkeeper.termination.ReasonCodes;
import dev.loopkeeper.termination.ResumeField;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.termination.Termination;
import dev.loopkeeper.termination.TerminationReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The requirements of a resume that its request does not meet. Texts, forms and suggested commands are rendered from
 * them.
 */
record ResumeNeeds(RunState state, ResumeRequest request) {
    static final String REQUIRES = "a resume requires ";
    private static final String INSTRUCTION = "what to do differently";

    ResumeNeeds {
        state = request.on(state);
    }

    /**
     * One way to meet a requirement.
     *
     * @param phrase completes "a resume requires", e.g. {@code maxIterations above 6}; empty for a way that only a form
     *     offers
     * @param field the field of a request that meets it
     */
    record Need(String phrase, ResumeField field) {}

    /** Each element is a requirement: the ways to meet it. Empty when the resume can make progress. */
    List<List<Need>> afterEnding(Termination termination) {
        List<List<Need>> needs = new ArrayList<>();
        switch (reason(termination).resumeNeed()) {
            case NONE, NEVER, BUDGET -> {}
            case ITERATIONS_OR_FEEDBACK -> iterations().ifPresent(needs::add);
            case ATTEMPTS_OR_RESET_ITEMS -> attempts(false).ifPresent(needs::add);
            case THRESHOLD_OR_RESET_STATISTICS -> thresholds().forEach(reason -> needs.add(threshold(reason)));
            case FEEDBACK -> unless(hasFeedback(), feedback()).ifPresent(needs::add);
            case FEEDBACK_OR_MANIFEST ->
                unless(isChanged() || hasFeedback(), feedback(), manifest("")).ifPresent(needs::add);
            case MANIFEST ->
                unless(
                                isChanged(),
                                manifest(", or force"),
                                new Need("", NeededFields.force("continue with the same manifest")))
                        .ifPresent(needs::add);
            case RESET_BLOCKING_ITEMS -> attempts(true).ifPresent(needs::add);
            case ACKNOWLEDGE ->
                unless(request.acknowledge(), new Need("acknowledge", NeededFields.acknowledge(termination)))
                        .ifPresent(needs::add);
        }
        if (isUsedUp(state)) { // the run would end again
            attempts(false).filter(more -> !needs.contains(more)).ifPresent(needs::add);
        }
        needs.addAll(inPause());
        return needs;
    }

    /** Whether no item of the phase can be launched and one was lost: without further attempts the run ends again. */
    static boolean isUsedUp(RunState state) {
        return state.cursor().work() instanceof EachWork each
                && each.allOver()
                && !each.ids(ItemWork::isLost).isEmpty()
                && state.phase().filter(PhaseSpec::critical).isPresent();
    }

    /** An exceeded budget would end a run as soon as it resumes. */
    List<List<Need>> inPause() {
        Budget budget = state.limits().changed(request, "").budget();
        return BudgetRules.caps(state, budget, true).stream().map(List::of).toList();
    }

    /** Lists the ways to meet these requirements, then the problems of the request itself. */
    List<String> missing(List<List<Need>> needs) {
        return Stream.concat(needs.stream().flatMap(ResumeNeeds::phrases), unusable())
                .distinct()
                .toList();
    }

    /** Says in a sentence what {@link #missing} lists. */
    String sentence(List<List<Need>> needs) {
        Set<String> phrases = needs.stream().flatMap(ResumeNeeds::phrases).collect(Collectors.toSet());
        return REQUIRES
                + Stream.concat(
                                needs.stream().map(ways -> phrases(ways).collect(Collectors.joining(", or "))),
                                unusable().filter(problem -> !phrases.contains(problem)))
                        .collect(Collectors.joining(", and "));
    }

    private static Stream<String> phrases(List<Need> ways) {
        return ways.stream().map(Need::phrase).filter(phrase -> !phrase.isEmpty());
    }

    /** Problems of the request itself, independent of the ending. */
    private Stream<String> unusable() {
        return Stream.of(
                        unknownItems().stream(),
                        tooFewAttempts().stream(),
                        wrongWaiver().stream(),
                        tooFewIterations().stream())
                .flatMap(problems -> problems);
    }

    private static Optional<List<Need>> unless(boolean met, Need... ways) {
        return met ? Optional.empty() : Optional.of(List.of(ways));
    }

    TerminationReason reason(Termination termination) {
        return termination
                .reasonCode()
                .flatMap(new ReasonCodes(state.manifest())::declared)
                .<TerminationReason>map(ConsumerReason::of)
                .or(() -> StandardReason.ofSubtype(termination.subtype()))
                .orElse(StandardReason.EXECUTION_ERROR);
    }

    private boolean isChanged() {
        return !request.changes().isEmpty();
    }

    private Need manifest(String instead) {
        String given = request.changedManifest().isPresent() ? " (the given one is identical)" : "";
        return new Need("a changed manifest" + given + instead, NeededFields.manifest());
    }

    private static Need feedback() {
        return new Need("feedback", NeededFields.feedback(INSTRUCTION));
    }

    private Optional<List<Need>> iterations() {
        if (!(state.cursor().work() instanceof LoopWork loop)) {
            return unless(hasFeedback(), feedback());
        }
        int asked = request.maxIterations().orElse(-1);
        return unless(
                asked == 0 || asked > loop.done() || hasFeedback() || isRaised(),
                new Need(
                        tooFewIterations().orElse("maxIterations above " + loop.done()),
                        NeededFields.maxIterations(loop)),
                feedback());
    }

    /** Whether the changed manifest permits further iterations. */
    private boolean isRaised() {
        return isChanged() && state.cursor().work() instanceof LoopWork loop && !loop.exhausted();
    }

    /** Whether the changed manifest permits further attempts of a failed item. */
    private boolean isRaised(EachWork each) {
        return isChanged()
                && !each.ids(item -> item.isLost() && item.attempts() < each.maxAttempts())
                        .isEmpty();
    }

    private Optional<String> tooFewIterations() {
        int asked = request.maxIterations().orElse(0);
        return state.cursor().work() instanceof LoopWork loop && asked > 0 && asked <= loop.done() && !hasFeedback()
                ? Optional.of("maxIterations above " + loop.done() + ", the number of finished iterations")
                : Optional.empty();
    }

    private boolean hasFeedback() {
        return request.feedback().filter(text -> !text.isBlank()).isPresent();
    }

    private Optional<List<Need>> attempts(boolean resetFirst) {
        if (!(state.cursor().work() instanceof EachWork each)) {
            return Optional.empty();
        }
        List<String> lost = each.ids(ItemWork::isLost);
        Need more = new Need(
                "maxAttempts above " + each.maxAttempts(), NeededFields.maxAttempts(each, each.maxAttempts() + 1));
        Need reset = new Need(
                "resetItems with one of " + OneLine.names(lost, OneLine.SUMMARY), NeededFields.resetItems(lost));
        boolean met = lost.stream().anyMatch(request.resetItems()::contains)
                || request.maxAttempts().orElse(0) > each.maxAttempts()
                || isRaised(each);
        return lost.isEmpty() ? unless(met, more) : resetFirst ? unless(met, reset, more) : unless(met, more, reset);
    }

    private static List<Need> threshold(StopReason reason) {
        return List.of(
                new Need(
                        "a raised threshold or resetStatistics (" + reason.message() + ")",
                        NeededFields.threshold(reason)),
                new Need("", NeededFields.resetStatistics()));
    }

    /** The thresholds that a resume leaves exceeded: the next iteration or item ends the run again. */
    List<StopReason> thresholds() {
        RunStatistics counts = state.ledger().statistics().withConsecutiveFails(0);
        return StopConditions.holding(
                request.resetStatistics() ? counts.reset() : counts,
                request.stopConditions().over(state.limits().stopConditions()));
    }

    private List<String> unknownItems() {
        Work work = state.cursor().work();
        return request.resetItems().stream()
                .filter(id -> !(work instanceof EachWork each) || each.item(id) == null)
                .map(id -> "resetItems without " + named(id) + ", which is not an item of the current phase")
                .toList();
    }

    private static String named(String name) {
        return name.isBlank() ? "a blank name" : OneLine.of(name);
    }

    /** A limit below the begun attempts would be exceeded at once. */
    private Optional<String> tooFewAttempts() {
        if (request.maxAttempts().isEmpty() || !(state.cursor().work() instanceof EachWork each)) {
            return Optional.empty();
        }
        return request.maxAttempts().getAsInt() >= each.leastAttempts()
                ? Optional.empty()
                : Optional.of("maxAttempts of at least " + each.leastAttempts() + ", the number of attempts begun");
    }

    private Optional<String> wrongWaiver() {
        Optional<String> gate =
                state.phase().filter(GatePhase.class::isInstance).map(PhaseSpec::name);
        return request.waive()
                .filter(name -> !gate.equals(Optional.of(name)))
                .map(name -> gate.map(current -> "waive with the current gate " + current + ", not " + named(name))
                        .orElse("no waive of " + named(name) + ", since the current phase is not a gate"));
    }
}
