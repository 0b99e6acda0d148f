package dev.loopkeeper.termination;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;

/**
 * A terminal exhaustion that a resume overcame; in JSON one object with the fields of both.
 *
 * @param clearedBy the first successful step of the resumed execution; {@code completion} where none was needed
 */
public record ClearedExhaustion(@JsonUnwrapped TerminalExhaustion exhaustion, String clearedBy, Instant clearedAt) {}
