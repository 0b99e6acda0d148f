package dev.loopkeeper.step;

import java.time.Instant;
import java.util.Optional;

/**
 * The classification of an error.
 *
 * @param resumeAt earliest sensible time of a retry, if the provider stated one; never before the classification
 */
public record Classification(ErrorKind kind, ErrorContext error, Optional<Instant> resumeAt) {}
