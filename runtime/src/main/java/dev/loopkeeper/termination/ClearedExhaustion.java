package dev.loopkeeper.termination;

import java.time.Instant;

/**
 * A terminal exhaustion that a resume overcame.
 *
 * @param clearedBy the first successful step of the resumed execution; {@code completion} where none was needed
 */
public record ClearedExhaustion(TerminalExhaustion exhaustion, String clearedBy, Instant clearedAt) {}
