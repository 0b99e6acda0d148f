package dev.loopkeeper.step;

import java.time.Instant;
import java.util.Optional;

/**
 * What an error is.
 *
 * @param resumeAt when the same again makes sense, if the provider said so; never before the time of classification
 */
public record Classification(ErrorKind kind, ErrorContext error, Optional<Instant> resumeAt) {}
