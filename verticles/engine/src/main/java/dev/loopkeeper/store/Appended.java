package dev.loopkeeper.store;

/**
 * Answer: the events are durable.
 *
 * @param lastPosition position of the last of them in the order over all runs; the events of one append have
 *     consecutive positions, so the first has {@code lastPosition - events.size() + 1}
 */
public record Appended(long lastPosition) {}
