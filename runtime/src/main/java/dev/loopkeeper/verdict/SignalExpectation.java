package dev.loopkeeper.verdict;

import java.util.Optional;

/**
 * The values that identify a signal of this attempt, where the signal has them.
 *
 * @param attempt absent when unknown
 */
public record SignalExpectation(String nonce, Optional<Integer> attempt, Optional<Integer> iteration) {
    /** The values for a known attempt. */
    public SignalExpectation(String nonce, int attempt, Optional<Integer> iteration) {
        this(nonce, Optional.of(attempt), iteration);
    }
}
