package dev.loopkeeper.verdict;

import java.util.Optional;

/** What a signal must say, where it says it, to belong to this attempt. */
public record SignalExpectation(String nonce, int attempt, Optional<Integer> iteration) {}
