package dev.loopkeeper.store;

/**
 * An event with its position in the order over all runs.
 *
 * @param position rises with every event, not necessarily by 1; the feed's cursor
 */
public record PositionedEvent(long position, StoredEvent event) {}
