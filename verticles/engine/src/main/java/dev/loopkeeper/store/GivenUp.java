package dev.loopkeeper.store;

import java.time.Instant;

/**
 * A delivery that is not tried any more.
 *
 * @param sequence of the event
 * @param tries how often it was tried; 0 when there was nothing to try
 * @param reason one line for people, without secrets
 */
public record GivenUp(OutboxTarget target, long sequence, int tries, String reason, Instant at) {}
