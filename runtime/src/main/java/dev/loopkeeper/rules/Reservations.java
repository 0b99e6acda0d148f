package dev.loopkeeper.rules;

import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.statistics.Spending;
import dev.loopkeeper.step.Usage;

/**
 * Estimates the further usage of open steps: the highest usage of an ended step of the same agent. When parallel items
 * approach a limit, no step begins that the limit cannot cover.
 */
final class Reservations {
    private Reservations() {}

    /** Whether the budget covers a further step; always true when none runs, since reservations are estimates. */
    static boolean permitLaunch(RunState state) {
        return state.steps().isEmpty()
                || !BudgetRules.exceeds(expected(state), state.limits().budget());
    }

    private static Spending expected(RunState state) {
        Spending sum = state.ledger().spent();
        for (OpenStep step : state.steps().values()) {
            Usage dearest = state.ledger().dearest().getOrDefault(step.agent(), Usage.UNKNOWN);
            sum = sum.plus(Spending.most(step.usage(), dearest));
        }
        return sum;
    }
}
