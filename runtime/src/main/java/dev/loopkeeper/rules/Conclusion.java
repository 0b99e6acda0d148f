package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.ReasonSpec;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.Cursor;
import dev.loopkeeper.run.RunEnded;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.TerminalExhausted;
import dev.loopkeeper.run.TerminalExhaustionCleared;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.termination.Category;
import dev.loopkeeper.termination.ClearedExhaustion;
import dev.loopkeeper.termination.EndReason;
import dev.loopkeeper.termination.ReasonCodes;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.termination.TerminalExhaustion;
import dev.loopkeeper.termination.Termination;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Records the ending of an execution, with the most important of its causes. */
record Conclusion(RunState state, EndReason winner, Instant at) {
    /** Records the ending: the most important cause, with the others attached. */
    static void record(DecisionBuilder builder, List<EndReason> causes) {
        EndReason winner = causes.stream()
                .min(Comparator.comparingInt(EndReason::rank)
                        .thenComparing(cause -> cause.category() != Category.FATAL))
                .orElseThrow();
        Conclusion conclusion = new Conclusion(builder.state(), winner, builder.at());
        if (winner.category() != Category.SUCCESS) {
            builder.emit(new TerminalExhausted(conclusion.exhaustion()));
        }
        Termination termination = conclusion.termination(causes);
        Condition.Ended ended = new Condition.Ended(termination, winner.stopReason());
        builder.emit(new RunEnded(
                ended.status(),
                termination,
                winner.stopReason(),
                builder.state().active().until(builder.at())));
    }

    /** Records that all phases are complete. */
    static void complete(DecisionBuilder builder) {
        builder.state().ledger().exhaustion().ifPresent(record -> {
            builder.emit(new TerminalExhaustionCleared(new ClearedExhaustion(record, "completion", builder.at())));
        });
        boolean submitted = builder.state().ledger().deliverable().isPresent();
        StandardReason reason = submitted ? StandardReason.SUBMITTED : StandardReason.STOP;
        record(builder, List.of(EndReason.of(reason, "all phases are complete")));
    }

    private TerminalExhaustion exhaustion() {
        Optional<EndReason.WorkRef> work = winner.work();
        return new TerminalExhaustion(
                winner.reasonCode().orElse(winner.subtype()),
                work.flatMap(EndReason.WorkRef::unit).or(this::unitOfLastStep),
                state.phase().map(phase -> phase.name()),
                work.flatMap(EndReason.WorkRef::taskId),
                work.flatMap(EndReason.WorkRef::qualifier),
                winner.summary(),
                at);
    }

    private Optional<String> unitOfLastStep() {
        return state.cursor().last().map(Cursor.LastStep::position).flatMap(StepPosition::unit);
    }

    private Termination termination(List<EndReason> causes) {
        int last = state.executions().size() - 1;
        Instant began = last < 0 ? at : state.executions().get(last).startedAt();
        var usage = state.ledger().spent().asUsage();
        return new Termination(
                winner.subtype(),
                winner.reasonCode(),
                winner.category(),
                winner.category() == Category.SUCCESS,
                winner.summary(),
                at,
                others(causes),
                usage,
                usage.costUsd(),
                Math.max(0, Duration.between(began, at).toMillis()),
                state.ledger().deliverable(),
                winner.noProgressSnapshot(),
                winner.errorContext(),
                advice());
    }

    private List<String> others(List<EndReason> causes) {
        Set<String> others = new LinkedHashSet<>();
        causes.forEach(cause -> others.add(cause.label()));
        causes.forEach(cause -> others.addAll(cause.others()));
        // An immediate or requested end is decided without the budget rule, so the budget is checked here.
        BudgetRules.cause(state, at).map(EndReason::label).ifPresent(others::add);
        others.remove(winner.label());
        return List.copyOf(others);
    }

    private Optional<String> advice() {
        return winner.reasonCode()
                .flatMap(new ReasonCodes(state.manifest())::declared)
                .map(ReasonSpec::advice)
                .filter(text -> !text.isBlank());
    }
}
