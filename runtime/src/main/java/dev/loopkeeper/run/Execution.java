package dev.loopkeeper.run;

import dev.loopkeeper.termination.Termination;
import java.time.Instant;
import java.util.Optional;

/** One stretch of a run from start or resume to a termination; numbered from 1. */
public record Execution(
        int execution, Instant startedAt, Optional<Instant> endedAt, Optional<Termination> termination) {}
