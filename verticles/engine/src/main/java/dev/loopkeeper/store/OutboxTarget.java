package dev.loopkeeper.store;

/**
 * A receiver of notifications: one entry of one run's {@code notify}.
 *
 * @param notification index in the manifest's {@code notify}, from 0
 */
public record OutboxTarget(String runId, int notification) {}
