package dev.loopkeeper.store;

/**
 * Somebody who is told of events: one entry of one run's {@code notify}.
 *
 * @param notification index in the manifest's {@code notify}, from 0
 */
public record OutboxTarget(String runId, int notification) {}
