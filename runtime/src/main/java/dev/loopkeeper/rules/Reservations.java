package dev.loopkeeper.rules;

import dev.loopkeeper.run.OpenStep;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.Spending;
import dev.loopkeeper.step.Usage;

/**
 * What running steps may still use: as much as the dearest ended step of the same agent. So a cap that is reached
 * while several items run is passed by what those steps use beyond that, and not by steps begun on top of them.
 */
final class Reservations {
    private Reservations() {}

    /** Whether one more step may begin; always so where none runs, since reservations are only guesses. */
    static boolean leaveRoom(RunState state) {
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
