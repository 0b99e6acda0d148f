package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.time.Instant;

/**
 * {@code budget.warning}: recorded once for each limit of the budget.
 *
 * @param part {@code costUsd}, {@code tokens}, {@code turns} or {@code time}
 * @param used in the unit of the part; milliseconds of active time
 */
@JsonTypeName("budget.warning")
public record BudgetWarning(String part, double used, double limit, String message) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        return state.withLedger(state.ledger().withSaid(part));
    }

    @Override
    public String text() {
        return "budget warning, " + message;
    }
}
