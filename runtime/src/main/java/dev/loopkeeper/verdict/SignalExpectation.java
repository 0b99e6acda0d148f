package dev.loopkeeper.verdict;

import java.util.Optional;

/**
 * The values that identify a signal of this attempt, where the signal has them; absent when unknown.
 *
 * @param attempt as in {@code LOOPKEEPER_ATTEMPT}
 * @param iteration as in {@code LOOPKEEPER_ITERATION}: empty text in a step outside loops
 */
public record SignalExpectation(String nonce, Optional<String> attempt, Optional<String> iteration) {
    /** The values of a step; {@code iteration} is absent outside loops. */
    public SignalExpectation(String nonce, int attempt, Optional<Integer> iteration) {
        this(
                nonce,
                Optional.of(Integer.toString(attempt)),
                iteration.map(String::valueOf).or(() -> Optional.of("")));
    }
}
