package dev.loopkeeper.store;

/**
 * Answer: the events are durable.
 *
 * @param lastPosition place of the last of them in the order over all runs
 */
public record Appended(long lastPosition) {}
