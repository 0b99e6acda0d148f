package dev.loopkeeper.store;

import java.util.OptionalInt;
import java.util.Set;

/**
 * Selects events of one run; the store skips other events cheaply.
 *
 * @param types event types; empty: all
 * @param steps only events with one of these {@linkplain StoredEvent#stepId steps}; empty: all
 * @param after only higher sequences; 0: from the beginning
 * @param before only lower sequences; {@link Long#MAX_VALUE}: up to the end
 * @param limit most events, from the start of the order; absent: all
 * @param newestFirst order of the result
 */
public record EventQuery(
        String runId,
        Set<String> types,
        Set<String> steps,
        long after,
        long before,
        OptionalInt limit,
        boolean newestFirst) {
    /** The oldest events after a sequence. */
    public static EventQuery oldest(String runId, Set<String> types, long after, int limit) {
        return new EventQuery(runId, types, Set.of(), after, Long.MAX_VALUE, OptionalInt.of(limit), false);
    }

    /** The oldest events between two sequences, both excluded. */
    public static EventQuery between(String runId, Set<String> types, long after, long before, int limit) {
        return new EventQuery(runId, types, Set.of(), after, before, OptionalInt.of(limit), false);
    }

    /** The newest events before a sequence, newest first. */
    public static EventQuery newest(String runId, Set<String> types, long before, int limit) {
        return new EventQuery(runId, types, Set.of(), 0, before, OptionalInt.of(limit), true);
    }

    /** Whether the sequences of its events follow {@code after} without a gap. */
    public boolean isGapless() {
        return types.isEmpty() && steps.isEmpty() && !newestFirst;
    }

    /** Returns the query with another limit. */
    EventQuery of(OptionalInt most) {
        return new EventQuery(runId, types, steps, after, before, most, newestFirst);
    }

    /** Returns the query for events that follow this sequence in its order. */
    EventQuery following(long sequence) {
        return newestFirst
                ? new EventQuery(runId, types, steps, after, sequence, limit, true)
                : new EventQuery(runId, types, steps, sequence, before, limit, false);
    }

    /** All events of these steps, oldest first. */
    public static EventQuery ofSteps(String runId, Set<String> types, Set<String> steps) {
        return new EventQuery(runId, types, steps, 0, Long.MAX_VALUE, OptionalInt.empty(), false);
    }
}
