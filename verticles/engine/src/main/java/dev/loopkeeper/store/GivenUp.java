package dev.loopkeeper.store;

import java.time.Instant;

/**
 * A delivery that is not tried again.
 *
 * @param sequence of the event
 * @param tries number of attempts; 0 if there was nothing to try
 * @param reason one line for people, without secrets
 */
public record GivenUp(OutboxTarget target, long sequence, int tries, String reason, Instant at) {}
