package dev.loopkeeper.verdict;

import java.util.Optional;

/** The result of reading a signal file. */
public sealed interface SignalReading {
    /** A signal of this attempt. */
    record Valid(Signal signal) implements SignalReading {}

    /**
     * An invalid file.
     *
     * @param message names the field and its value, one sentence
     * @param refusedValue the invalid value as JSON, escaped and at most {@value RefusedValue#LONGEST} characters;
     * absent when no single value is at fault
     */
    record Invalid(SignalDetail detail, String message, Optional<String> refusedValue) implements SignalReading {
        /** An invalid file without a single value at fault. */
        public Invalid(SignalDetail detail, String message) {
            this(detail, message, Optional.empty());
        }
    }

    /** The runtime could not remove an older file, so it did not launch the step. A person must remove it. */
    record PathBlocked() implements SignalReading {}

    /** The agent declares no signal file. */
    record NotDeclared() implements SignalReading {}
}
