package dev.loopkeeper.run;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.Budget;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.termination.StandardReason;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Caps over the whole run: exceeded when what is spent is at or above them. */
final class BudgetRules {
    private static final String COST_UNKNOWN = "costUnknown";
    private static final Set<OutputDialect> TELL_NO_COST = EnumSet.of(OutputDialect.CODEX, OutputDialect.GEMINI);

    private BudgetRules() {}

    /** A cap, and what was spent of it. */
    private record Part(String name, double used, double limit) {
        boolean exceeded() {
            return used >= limit;
        }

        String text() {
            return String.format(Locale.ROOT, "%s: %s used, the limit is %s", name, plain(used), plain(limit));
        }

        private static String plain(double number) {
            return number == Math.rint(number) && Math.abs(number) < 1e15
                    ? String.valueOf((long) number)
                    : String.valueOf(number);
        }
    }

    /** Rule 4. */
    static Optional<Ruling> exceeded(RunState state) {
        return cause(state, state.limits().budget()).map(cause -> new Ruling.End(cause, false, false));
    }

    /** Why this budget is used up by what the run has spent; empty when it is not. */
    static Optional<EndCause> cause(RunState state, Budget budget) {
        return parts(state.spending(), budget).stream()
                .filter(Part::exceeded)
                .findFirst()
                .map(part -> EndCause.of(StandardReason.BUDGET_EXCEEDED, "budget exceeded, " + part.text())
                        .askedBy(StopCause.BUDGET));
    }

    /** Notes each warning that is due and was not given yet. */
    static void warn(Draft draft) {
        Budget budget = draft.state().limits().budget();
        Spending spent = draft.state().spending();
        for (Part part : parts(spent, budget)) {
            if (part.used() >= part.limit() * budget.warnAt() && !warned(draft, part.name())) {
                draft.emit(new BudgetWarning(part.name(), part.used(), part.limit(), part.text()));
            }
        }
    }

    /** A cap on cost is blind to an agent that does not tell what it costs: said once, as soon as that is sure. */
    static void warnOfUnknownCost(Draft draft, OpenStep step) {
        Budget budget = draft.state().limits().budget();
        if (budget.costUsd().isEmpty() || warned(draft, COST_UNKNOWN) || !costUnknown(draft.state(), step)) {
            return;
        }
        String message = "an agent does not tell what it costs: the cap on costUsd sees only known costs, "
                + (budget.tokens().isPresent() ? "the cap on tokens holds" : "and there is no cap on tokens");
        double known = draft.state().spending().costUsd().doubleValue();
        draft.emit(new BudgetWarning(COST_UNKNOWN, known, budget.costUsd().getAsDouble(), message));
    }

    /** Most tell it at their end, so there is nothing to say of them while they run. */
    private static boolean costUnknown(RunState state, OpenStep step) {
        OpenStep open = state.steps().get(step.stepId());
        Spending ended = state.ledger().spent();
        if (open == null) {
            return !ended.costKnown()
                    || (!ended.costTold() && nobodyTells(state.plan().manifest(), step));
        }
        boolean never = state.plan()
                .manifest()
                .agent(open.agent())
                .filter(agent -> TELL_NO_COST.contains(agent.output()))
                .isPresent();
        return never && !Spending.NOTHING.plus(open.usage()).costKnown();
    }

    /** A script beside agents that tell their cost has none; but where all print plain text, signals would have to. */
    private static boolean nobodyTells(Manifest manifest, OpenStep ended) {
        boolean onlyText = manifest.agents().values().stream().allMatch(agent -> agent.output() == OutputDialect.TEXT);
        boolean signals = manifest.agents().values().stream()
                .anyMatch(agent -> agent.signal().isPresent());
        boolean mightHave =
                manifest.agent(ended.agent()).flatMap(AgentSpec::signal).isPresent();
        return onlyText && (mightHave || !signals);
    }

    /** Whether this much reaches a cap. */
    static boolean exceeds(Spending spent, Budget budget) {
        return parts(spent, budget).stream().anyMatch(Part::exceeded);
    }

    private static boolean warned(Draft draft, String part) {
        return draft.state().ledger().warned().contains(part);
    }

    private static List<Part> parts(Spending spent, Budget budget) {
        List<Part> parts = new ArrayList<>();
        budget.costUsd()
                .ifPresent(cap -> parts.add(new Part("costUsd", spent.costUsd().doubleValue(), cap)));
        budget.tokens().ifPresent(cap -> parts.add(new Part("tokens", spent.tokens(), cap)));
        budget.turns().ifPresent(cap -> parts.add(new Part("turns", spent.turns(), cap)));
        return parts;
    }
}
