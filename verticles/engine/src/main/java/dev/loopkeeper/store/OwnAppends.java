package dev.loopkeeper.store;

import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.work.BoundedMap;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Knows which durable events this process appended. Events of an unanswered append are recognized by their content.
 * Used on one context.
 */
final class OwnAppends {
    private static final int MOST_UNANSWERED = 1_000;

    /** Positions of answered events that are not published yet. */
    private final Set<Long> positions = new HashSet<>();
    /** The last unanswered append of each run, oldest first. Limited, because an abandoned run never appends again. */
    private final Map<String, Unanswered> unanswered = BoundedMap.byAge(MOST_UNANSWERED);

    /** Identifies the events of an append without their content, which may be large. */
    private record Unanswered(long expectedSequence, List<Mark> events) {
        static Unanswered of(AppendEvents append) {
            return new Unanswered(
                    append.expectedSequence(),
                    append.events().stream().map(Mark::of).toList());
        }

        boolean has(StoredEvent event) {
            long index = event.sequence() - expectedSequence - 1;
            return index < events.size() && events.get((int) index).equals(Mark.of(event));
        }

        boolean endsWith(StoredEvent event) {
            return event.sequence() >= expectedSequence + events.size();
        }
    }

    private record Mark(String type, Instant at) {
        static Mark of(StoredEvent event) {
            return new Mark(event.type(), event.at());
        }
    }

    /** Called when the append is durable. */
    void answered(AppendEvents append, Appended appended) {
        unanswered.remove(append.runId());
        long last = appended.lastPosition();
        for (long position = last - append.events().size() + 1; position <= last; position++) {
            positions.add(position);
        }
    }

    /** Called when it is unknown whether the append is durable. */
    void unanswered(AppendEvents append) {
        // Removed first, so that it is the newest.
        unanswered.remove(append.runId());
        unanswered.put(append.runId(), Unanswered.of(append));
    }

    /** Call once for each published event. */
    boolean isOwn(PositionedEvent event) {
        return positions.remove(event.position()) || wasUnanswered(event.event());
    }

    private boolean wasUnanswered(StoredEvent event) {
        Unanswered append = unanswered.get(event.runId());
        if (append == null || event.sequence() <= append.expectedSequence()) {
            return false;
        }
        boolean same = append.has(event);
        // Another owner has used the sequence for another event, so this append is not durable.
        if (!same || append.endsWith(event)) {
            unanswered.remove(event.runId());
        }
        return same;
    }
}
