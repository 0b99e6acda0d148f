package dev.loopkeeper.rules;

import dev.loopkeeper.run.EndCause;
import dev.loopkeeper.run.Pause;
import dev.loopkeeper.run.Retry;

/** What a rule decides. */
sealed interface Ruling {
    /** No rule holds: the next step, iteration or attempt follows. */
    record GoOn() implements Ruling {}

    /** The phase is complete. */
    record Complete(String message) implements Ruling {}

    /**
     * A person must look.
     *
     * @param cutsShort whether the steps that would have followed in this iteration are dropped
     * @param redo whether the same step is launched again, unless a person accepts it as it is
     */
    record PauseFor(Pause pause, boolean cutsShort, boolean redo) implements Ruling {}

    /**
     * The execution ends.
     *
     * @param graceful what runs is completed and counted; else it is ended
     * @param redo whether a resume launches the same step again
     */
    record End(EndCause cause, boolean graceful, boolean redo) implements Ruling {}

    /** The same step is launched again at {@code retry.dueAt()}. */
    record TryAgain(Retry retry) implements Ruling {}
}
