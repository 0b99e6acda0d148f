package dev.loopkeeper.run;

import dev.loopkeeper.manifest.Budget;
import dev.loopkeeper.termination.StandardReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Caps over the whole run: exceeded when what is spent is at or above them. */
final class BudgetRules {
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
        if (budget.costUsd().isPresent() && !spent.costKnown() && !warned(draft, "costUnknown")) {
            String message = "an agent does not tell what it costs: the cap on costUsd sees only known costs";
            double limit = budget.costUsd().getAsDouble();
            draft.emit(new BudgetWarning("costUnknown", spent.costUsd().doubleValue(), limit, message));
        }
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
