package dev.loopkeeper.store;

import java.util.List;

/**
 * What is owed to all targets.
 *
 * @param position every event up to this place in the order over all runs was looked at
 * @param owing targets that are owed something, in no order
 */
public record OutboxState(long position, List<OutboxCursor> owing) {}
