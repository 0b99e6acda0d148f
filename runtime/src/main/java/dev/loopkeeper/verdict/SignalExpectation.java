package dev.loopkeeper.verdict;

import java.util.Optional;

/**
 * What a signal must say, where it says it, to belong to this attempt.
 *
 * @param attempt absent where it is unknown
 */
public record SignalExpectation(String nonce, Optional<Integer> attempt, Optional<Integer> iteration) {
    /** With a known attempt. */
    public SignalExpectation(String nonce, int attempt, Optional<Integer> iteration) {
        this(nonce, Optional.of(attempt), iteration);
    }
}
