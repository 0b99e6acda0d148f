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

    /** A person must look. */
    record PauseFor(Pause pause, AfterStep after) implements Ruling {}

    /**
     * The execution ends.
     *
     * @param after where a resume goes on
     */
    record End(EndCause cause, StopMode mode, AfterStep after) implements Ruling {}

    /** The same step is launched again at {@code retry.dueAt()}. */
    record TryAgain(Retry retry) implements Ruling {}
}
