package dev.loopkeeper.rules;

import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.run.step.Retry;
import dev.loopkeeper.termination.EndReason;

/** The result of a rule. */
sealed interface RuleResult {
    /** The point at which a resume continues. */
    default AfterStep after() {
        return AfterStep.GO_ON;
    }

    /** No rule applies: the next step, iteration or attempt follows. */
    record GoOn() implements RuleResult {}

    /** The phase is complete. */
    record Complete(String message) implements RuleResult {}

    /** The run pauses for a person. */
    record PauseFor(Pause pause, AfterStep after) implements RuleResult {}

    /** The execution ends. */
    record End(EndReason cause, StopMode mode, AfterStep after) implements RuleResult {}

    /** The same step is launched again at {@code retry.dueAt()}. */
    record TryAgain(Retry retry) implements RuleResult {
        @Override
        public AfterStep after() {
            return AfterStep.REDO;
        }
    }

    /**
     * Where a resumed run continues after a step that caused a pause or an ending. {@code docs/deciding.md} has the table for
     * tasks, gates, loops and items.
     */
    enum AfterStep {
        /** After the step. */
        GO_ON,
        /** After its iteration; the remaining steps of the iteration are dropped. */
        CUT_SHORT,
        /** At the step: it is launched again, unless a person accepts its result. */
        REDO
    }
}
