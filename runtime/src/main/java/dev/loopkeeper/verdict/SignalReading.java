package dev.loopkeeper.verdict;

import java.util.Optional;

/** What reading a signal file gave. */
public sealed interface SignalReading {
    /** A signal of this attempt. */
    record Valid(Signal signal) implements SignalReading {}

    /**
     * A file that does not count.
     *
     * @param message what is wrong, naming the field and what it holds, one sentence
     * @param refusedValue the value that is refused as JSON, escaped and at most {@value RefusedValue#LONGEST}
     *     characters; absent where the trouble is no single value
     */
    record Invalid(SignalDetail detail, String message, Optional<String> refusedValue) implements SignalReading {
        /** Without a single value that is to blame. */
        public Invalid(SignalDetail detail, String message) {
            this(detail, message, Optional.empty());
        }
    }

    /** Its place could not be made free, so the step was not launched. A person must put that right. */
    record PlaceBlocked() implements SignalReading {}

    /** The step declared none. */
    record NotDeclared() implements SignalReading {}
}
