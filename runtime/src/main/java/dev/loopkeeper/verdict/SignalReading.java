package dev.loopkeeper.verdict;

/** What reading a signal file gave. */
public sealed interface SignalReading {
    /** A signal of this attempt. */
    record Valid(Signal signal) implements SignalReading {}

    /**
     * A file that does not count.
     *
     * @param message what is wrong, naming the field, one sentence
     */
    record Invalid(SignalDetail detail, String message) implements SignalReading {}

    /** The step declared none. */
    record NotDeclared() implements SignalReading {}
}
