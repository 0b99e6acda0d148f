package dev.loopkeeper.store;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Selects events of one run; the store skips other events cheaply.
 *
 * @param types event types; empty: all
 * @param naming only events whose data has this text as a complete string, e.g. a step id
 * @param after only higher sequences; 0: from the beginning
 * @param before only lower sequences; {@link Long#MAX_VALUE}: up to the end
 * @param limit most events, from the start of the order; absent: all
 * @param newestFirst order of the result
 */
public record EventQuery(
        String runId,
        Set<String> types,
        Optional<String> naming,
        long after,
        long before,
        OptionalInt limit,
        boolean newestFirst) {
    /** The oldest events after a sequence. */
    public static EventQuery oldest(String runId, Set<String> types, long after, int limit) {
        return new EventQuery(runId, types, Optional.empty(), after, Long.MAX_VALUE, OptionalInt.of(limit), false);
    }

    /** The oldest events between two sequences, both excluded. */
    public static EventQuery between(String runId, Set<String> types, long after, long before, int limit) {
        return new EventQuery(runId, types, Optional.empty(), after, before, OptionalInt.of(limit), false);
    }

    /** All events up to this sequence, oldest first. */
    public static EventQuery upTo(String runId, long sequence) {
        return new EventQuery(runId, Set.of(), Optional.empty(), 0, sequence + 1, OptionalInt.empty(), false);
    }

    /** The newest events before a sequence, newest first. */
    public static EventQuery newest(String runId, Set<String> types, long before, int limit) {
        return new EventQuery(runId, types, Optional.empty(), 0, before, OptionalInt.of(limit), true);
    }

    /** The newest event that names this. */
    public static EventQuery newestAbout(String runId, Set<String> types, String name) {
        return new EventQuery(runId, types, Optional.of(name), 0, Long.MAX_VALUE, OptionalInt.of(1), true);
    }

    /** The oldest event after a sequence that names this. */
    public static EventQuery oldestAbout(String runId, Set<String> types, String name, long after) {
        return new EventQuery(runId, types, Optional.of(name), after, Long.MAX_VALUE, OptionalInt.of(1), false);
    }

    /** Returns the query with another limit. */
    EventQuery of(OptionalInt most) {
        return new EventQuery(runId, types, naming, after, before, most, newestFirst);
    }

    /** Returns the query for events that follow this sequence in its order. */
    EventQuery following(long sequence) {
        return newestFirst
                ? new EventQuery(runId, types, naming, after, sequence, limit, true)
                : new EventQuery(runId, types, naming, sequence, before, limit, false);
    }

    /** All events that name this, oldest first. */
    public static EventQuery about(String runId, Set<String> types, String name) {
        return new EventQuery(runId, types, Optional.of(name), 0, Long.MAX_VALUE, OptionalInt.empty(), false);
    }
}
