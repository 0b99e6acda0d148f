package dev.loopkeeper.termination;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;

/**
 * A terminal exhaustion that a resume overcame; JSON shows it as one object.
 *
 * @param clearedBy the first successful step of the resumed execution; {@code completion} when no step ran
 */
public record ClearedExhaustion(@JsonUnwrapped TerminalExhaustion exhaustion, String clearedBy, Instant clearedAt) {}
