package dev.loopkeeper.view;

import java.time.Instant;

/**
 * An ended attempt of an item, e.g. {@code {"attempt": 1, "outcome": "rejected", "endedAt": "..."}}.
 *
 * @param attempt from 1; again from 1 after the item was reset
 * @param outcome {@code approved}, {@code rejected} or {@code failed}
 */
public record ItemAttempt(int attempt, String outcome, Instant endedAt) {}
