package dev.loopkeeper.contract.signal;

import java.util.Optional;

/**
 * Answer: the place is free.
 *
 * @param leftover where a file that was there before is now
 */
public record SignalPrepared(Optional<String> leftover) {}
