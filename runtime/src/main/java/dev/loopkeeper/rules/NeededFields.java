package dev.loopkeeper.rules;

import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.ItemWork;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.statistics.RunStatistics;
import dev.loopkeeper.statistics.StopConditions;
import dev.loopkeeper.statistics.StopReason;
import dev.loopkeeper.termination.ResumeField;
import dev.loopkeeper.termination.Termination;
import java.util.ArrayList;
import java.util.List;

/** Converts the missing requirements of {@link ResumeNeeds} to fields of a form. */
record NeededFields(RunState state) {
    private static final String INSTRUCTION = "what to do differently";

    List<ResumeField> inPause() {
        return BudgetRules.fields(state, true);
    }

    List<ResumeField> afterEnding(Termination termination) {
        List<ResumeField> fields = new ArrayList<>();
        switch (new ResumeNeeds(state, ResumeRequest.PLAIN).reason(termination).resumeNeed()) {
            case NONE, NEVER, BUDGET -> {}
            case ITERATIONS_OR_FEEDBACK -> fields.add(iterations());
            case ATTEMPTS_OR_RESET_ITEMS -> fields.addAll(attempts(false));
            case THRESHOLD_OR_RESET_STATISTICS ->
                exceeded().forEach(threshold -> fields.add(threshold.or(resetStatistics())));
            case FEEDBACK -> fields.add(feedback(INSTRUCTION));
            case FEEDBACK_OR_MANIFEST -> fields.add(feedback(INSTRUCTION).or(manifest()));
            case MANIFEST -> fields.add(manifest().or(force("continue with the same manifest")));
            case RESET_BLOCKING_ITEMS -> fields.addAll(attempts(true));
            case ACKNOWLEDGE ->
                fields.add(ResumeField.of(
                        "acknowledge",
                        ResumeField.Type.BOOLEAN,
                        "confirm that the cause is fixed: " + termination.summary()));
        }
        if (ResumeNeeds.isUsedUp(state) && fields.stream().noneMatch(NeededFields::givesAttempts)) {
            fields.addAll(attempts(false));
        }
        fields.addAll(BudgetRules.fields(state, true));
        return fields;
    }

    private static boolean givesAttempts(ResumeField field) {
        return field.field().equals("maxAttempts") || field.field().equals("resetItems");
    }

    private ResumeField iterations() {
        return state.cursor().work() instanceof LoopWork loop
                ? maxIterations(loop).or(feedback(INSTRUCTION))
                : feedback(INSTRUCTION);
    }

    private List<ResumeField> attempts(boolean resetFirst) {
        if (!(state.cursor().work() instanceof EachWork each)) {
            return List.of();
        }
        ResumeField more = maxAttempts(each, each.maxAttempts() + 1);
        List<String> lost = each.ids(ItemWork::isLost);
        if (lost.isEmpty()) {
            return List.of(more);
        }
        ResumeField reset = resetItems(lost);
        return List.of(resetFirst ? reset.or(more) : more.or(reset));
    }

    /** The thresholds that a resume alone leaves exceeded: the next iteration or item ends the run again. */
    List<ResumeField> exceeded() {
        RunStatistics counts = state.ledger().statistics().withConsecutiveFails(0);
        return StopConditions.holding(counts, state.limits().stopConditions()).stream()
                .map(NeededFields::threshold)
                .toList();
    }

    private static ResumeField threshold(StopReason reason) {
        return switch (reason.condition()) {
            case CIRCUIT_BREAKER -> count("circuitBreaker", reason);
            case CONSECUTIVE_FAILS -> count("maxConsecutiveFails", reason);
            case REJECT_RATE -> rate("maxRejectRate", reason);
            case RETRY_RATE -> rate("maxRetryRate", reason);
        };
    }

    /** A count applies when it reaches the threshold. */
    private static ResumeField count(String name, StopReason reason) {
        return ResumeField.of("stopConditions." + name, ResumeField.Type.INTEGER, reason.message() + "; 0 turns it off")
                .atLeast((long) reason.value() + 1)
                .now((long) reason.threshold());
    }

    /** A rate applies strictly above the threshold; two digits suffice for a person. */
    private static ResumeField rate(String name, StopReason reason) {
        return ResumeField.of("stopConditions." + name, ResumeField.Type.NUMBER, reason.message() + "; 0 turns it off")
                .atLeast(Math.min(1, Math.ceil(reason.value() * 100) / 100))
                .now(reason.threshold());
    }

    static ResumeField maxIterations(LoopWork loop) {
        ResumeField field = ResumeField.of(
                        "maxIterations",
                        ResumeField.Type.INTEGER,
                        "a number above the " + loop.done() + " iterations done, or 0 for no limit")
                .atLeast(loop.done() + 1);
        return loop.allowance() > 0 ? field.now(loop.allowance()) : field;
    }

    static ResumeField maxAttempts(EachWork each, int least) {
        return ResumeField.of("maxAttempts", ResumeField.Type.INTEGER, "how many attempts each item may use")
                .atLeast(least)
                .now(each.maxAttempts());
    }

    static ResumeField resetItems(List<String> items) {
        return ResumeField.of("resetItems", ResumeField.Type.LIST, "items that start again with their first attempt")
                .among(items);
    }

    static ResumeField resetStatistics() {
        return ResumeField.of(
                "resetStatistics", ResumeField.Type.BOOLEAN, "count failures, attempts and rates again from 0");
    }

    static ResumeField feedback(String text) {
        return ResumeField.of("feedback", ResumeField.Type.TEXT, text);
    }

    private static ResumeField manifest() {
        return ResumeField.of("manifest", ResumeField.Type.TEXT, "a changed manifest");
    }

    static ResumeField force(String text) {
        return ResumeField.of("force", ResumeField.Type.BOOLEAN, text);
    }
}
