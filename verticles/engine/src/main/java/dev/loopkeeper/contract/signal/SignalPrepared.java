package dev.loopkeeper.contract.signal;

import java.util.Optional;

/**
 * Answer: no file is at the path.
 *
 * @param moved new path of an old file
 */
public record SignalPrepared(Optional<String> moved) {}
