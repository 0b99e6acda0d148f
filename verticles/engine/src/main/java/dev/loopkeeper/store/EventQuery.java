package dev.loopkeeper.store;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Some events of one run; what is left out of them is passed over in the store and costs next to nothing.
 *
 * @param types only of these; empty: of all
 * @param naming only those whose data has this text as a whole string somewhere, e.g. a step's id
 * @param after only of higher sequences than this; 0: from the beginning
 * @param before only of lower sequences than this; {@link Long#MAX_VALUE}: up to the end
 * @param limit at most so many, of those that come first in the order asked for; absent: all
 * @param newestFirst the order of the answer
 */
public record EventQuery(
        String runId,
        Set<String> types,
        Optional<String> naming,
        long after,
        long before,
        OptionalInt limit,
        boolean newestFirst) {
    /** All of these types, oldest first. */
    public static EventQuery all(String runId, Set<String> types) {
        return new EventQuery(runId, types, Optional.empty(), 0, Long.MAX_VALUE, OptionalInt.empty(), false);
    }

    /** The oldest after a sequence. */
    public static EventQuery oldest(String runId, Set<String> types, long after, int limit) {
        return new EventQuery(runId, types, Optional.empty(), after, Long.MAX_VALUE, OptionalInt.of(limit), false);
    }

    /** The oldest between two sequences, without these. */
    public static EventQuery between(String runId, Set<String> types, long after, long before, int limit) {
        return new EventQuery(runId, types, Optional.empty(), after, before, OptionalInt.of(limit), false);
    }

    /** All up to this sequence, oldest first. */
    public static EventQuery upTo(String runId, long sequence) {
        return new EventQuery(runId, Set.of(), Optional.empty(), 0, sequence + 1, OptionalInt.empty(), false);
    }

    /** The newest before a sequence, newest first. */
    public static EventQuery newest(String runId, Set<String> types, long before, int limit) {
        return new EventQuery(runId, types, Optional.empty(), 0, before, OptionalInt.of(limit), true);
    }

    /** The newest that names this. */
    public static EventQuery newestAbout(String runId, Set<String> types, String name) {
        return new EventQuery(runId, types, Optional.of(name), 0, Long.MAX_VALUE, OptionalInt.of(1), true);
    }

    /** The oldest after a sequence that names this. */
    public static EventQuery oldestAbout(String runId, Set<String> types, String name, long after) {
        return new EventQuery(runId, types, Optional.of(name), after, Long.MAX_VALUE, OptionalInt.of(1), false);
    }

    /** The same with another limit. */
    EventQuery of(OptionalInt most) {
        return new EventQuery(runId, types, naming, after, before, most, newestFirst);
    }

    /** The same of those that follow on this sequence in its order. */
    EventQuery behind(long sequence) {
        return newestFirst
                ? new EventQuery(runId, types, naming, after, sequence, limit, true)
                : new EventQuery(runId, types, naming, sequence, before, limit, false);
    }

    /** All that name this, oldest first. */
    public static EventQuery about(String runId, Set<String> types, String name) {
        return new EventQuery(runId, types, Optional.of(name), 0, Long.MAX_VALUE, OptionalInt.empty(), false);
    }
}
