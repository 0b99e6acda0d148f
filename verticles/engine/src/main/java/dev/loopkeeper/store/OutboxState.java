package dev.loopkeeper.store;

import java.util.List;

/**
 * Pending deliveries of all targets.
 *
 * @param position all events up to this position were checked
 * @param pending targets with pending deliveries, in no order
 */
public record OutboxState(long position, List<OutboxCursor> pending) {}
