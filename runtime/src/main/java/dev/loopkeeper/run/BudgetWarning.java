package dev.loopkeeper.run;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * {@code budget.warning}: given once for each part of the budget.
 *
 * @param part {@code costUsd}, {@code tokens} or {@code turns}, or {@code costUnknown} when a cap on cost cannot be
 *     watched because an agent does not tell what it costs
 */
public record BudgetWarning(String part, double used, double limit, String message) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        Set<String> warned = new HashSet<>(state.ledger().warned());
        warned.add(part);
        return state.with(state.ledger().withWarned(Set.copyOf(warned)));
    }
}
