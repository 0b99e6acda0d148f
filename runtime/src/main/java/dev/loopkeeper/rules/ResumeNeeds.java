package dev.loopkeeper.rules;

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
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.termination.ConsumerReason;
import dev.loopkeeper.termination.ReasonCodes;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.termination.Termination;
import dev.loopkeeper.termination.TerminationReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Lists what a resume requires and does not provide: each entry completes "a resume requires", e.g. "feedback". */
record ResumeNeeds(RunState state, ResumeRequest request) {
    static final String REQUIRES = "a resume requires ";

    ResumeNeeds {
        state = request.on(state);
    }

    /** Empty when the resume can make progress. */
    List<String> missing(Termination termination) {
        List<String> missing = new ArrayList<>();
        switch (reason(termination).resumeNeed()) {
            case NONE, NEVER -> {}
            case ITERATIONS_OR_FEEDBACK -> missing.addAll(iterations());
            case BUDGET -> missing.addAll(budget());
            case ATTEMPTS_OR_RESET_ITEMS -> missing.addAll(attempts(false));
            case THRESHOLD_OR_RESET_STATISTICS -> missing.addAll(thresholds());
            case FEEDBACK -> missing.addAll(hasFeedback() ? List.of() : List.of("feedback"));
            case FEEDBACK_OR_MANIFEST ->
                missing.addAll(isChanged() || hasFeedback() ? List.of() : List.of("feedback", manifest()));
            case MANIFEST -> missing.addAll(isChanged() ? List.of() : List.of(manifest() + ", or force"));
            case RESET_BLOCKING_ITEMS -> missing.addAll(attempts(true));
            case ACKNOWLEDGE -> missing.addAll(request.acknowledge() ? List.of() : List.of("acknowledge"));
        }
        if (missing.isEmpty()) { // an exceeded budget would stop the run again at once
            missing.addAll(budget());
        }
        if (missing.isEmpty() && isUsedUp(state)) {
            missing.addAll(attempts(false));
        }
        unusable().stream().filter(need -> !missing.contains(need)).forEach(missing::add);
        return missing;
    }

    /** Whether no item of the phase can be launched and one was lost: without further attempts the run ends again. */
    static boolean isUsedUp(RunState state) {
        return state.cursor().work() instanceof EachWork each
                && each.allOver()
                && !each.ids(ItemWork::isLost).isEmpty()
                && state.phase().filter(PhaseSpec::critical).isPresent();
    }

    /** Says what {@link #missing} lists: the alternatives, then the corrections of the request. */
    String sentence(List<String> missing) {
        List<String> corrections = corrections();
        List<String> parts = new ArrayList<>(corrections);
        String alternatives =
                missing.stream().filter(need -> !corrections.contains(need)).collect(Collectors.joining(", or "));
        if (!alternatives.isEmpty()) {
            parts.add(0, alternatives);
        }
        return REQUIRES + String.join(", and ", parts);
    }

    /** An exceeded budget would end a paused run as soon as it resumes. */
    List<String> missingInPause() {
        List<String> missing = new ArrayList<>(budget());
        missing.addAll(unusable());
        return missing;
    }

    /** Problems of the request itself, independent of the ending. */
    List<String> unusable() {
        List<String> missing = new ArrayList<>(corrections());
        tooFewIterations().ifPresent(missing::add);
        return missing;
    }

    private List<String> corrections() {
        List<String> corrections = new ArrayList<>(unknownItems());
        tooFewAttempts().ifPresent(corrections::add);
        wrongWaiver().ifPresent(corrections::add);
        return corrections;
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

    private String manifest() {
        return request.changedManifest().isPresent()
                ? "a changed manifest (the given one is identical)"
                : "a changed manifest";
    }

    private List<String> iterations() {
        int done = state.cursor().work() instanceof LoopWork loop ? loop.done() : 0;
        boolean higher = request.maxIterations().isPresent()
                && (request.maxIterations().getAsInt() == 0
                        || request.maxIterations().getAsInt() > done);
        return higher || hasFeedback() || isRaised()
                ? List.of()
                : List.of(tooFewIterations().orElse("maxIterations above " + done), "feedback");
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

    private List<String> budget() {
        return BudgetRules.requirement(
                        state, state.limits().changed(request, "").budget())
                .stream()
                .toList();
    }

    private List<String> attempts(boolean resetFirst) {
        if (!(state.cursor().work() instanceof EachWork each)) {
            return List.of();
        }
        List<String> lost = each.ids(ItemWork::isLost);
        boolean reset = lost.stream().anyMatch(request.resetItems()::contains);
        boolean higher = request.maxAttempts().orElse(0) > each.maxAttempts();
        if (reset || higher || isRaised(each)) {
            return List.of();
        }
        String one = "resetItems with one of " + OneLine.names(lost, OneLine.SUMMARY);
        return resetFirst ? List.of(one) : List.of("maxAttempts above " + each.maxAttempts(), one);
    }

    private List<String> thresholds() {
        RunStatistics counts = state.ledger().statistics().withConsecutiveFails(0);
        RunStatistics left = request.resetStatistics() ? counts.reset() : counts;
        return StopConditions.holding(
                        left, request.stopConditions().over(state.limits().stopConditions()))
                .stream()
                .map(reason -> "a raised threshold or resetStatistics (" + reason.message() + ")")
                .toList();
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
