package dev.loopkeeper.run;

import dev.loopkeeper.termination.Termination;
import java.time.Instant;
import java.util.Optional;

/** An execution of a run: from a start or resume to a termination; numbered from 1. */
public record Execution(
        int execution, Instant startedAt, Optional<Instant> endedAt, Optional<Termination> termination) {}
