package dev.loopkeeper.store;

import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tells which of the events that become known were appended here. An append that the store did not answer may be durable:
 * its events are known again by what they say. On one context.
 */
final class OwnAppends {
    private static final int MOST_UNANSWERED = 1_000;

    /** Of what was answered and is not published yet. */
    private final Set<Long> positions = new HashSet<>();
    /** The last of each run, oldest first. A run that is abandoned never appends again, so they are limited in number. */
    private final Map<String, Unanswered> unanswered = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Unanswered> eldest) {
            return size() > MOST_UNANSWERED;
        }
    };

    /** Of an append what tells its events from others: its content may be large. */
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

    /** It is durable. */
    void answered(AppendEvents append, Appended appended) {
        unanswered.remove(append.runId());
        long last = appended.lastPosition();
        for (long position = last - append.events().size() + 1; position <= last; position++) {
            positions.add(position);
        }
    }

    /** It may be durable or not. */
    void unanswered(AppendEvents append) {
        // Removed first, so that it is the newest.
        unanswered.remove(append.runId());
        unanswered.put(append.runId(), Unanswered.of(append));
    }

    /** To be asked once about each event that is published. */
    boolean isOwn(PositionedEvent event) {
        return positions.remove(event.position()) || wasUnanswered(event.event());
    }

    private boolean wasUnanswered(StoredEvent event) {
        Unanswered append = unanswered.get(event.runId());
        if (append == null || event.sequence() <= append.expectedSequence()) {
            return false;
        }
        boolean same = append.has(event);
        // Another owner of the run gave the same number to something else, at another time: ours is not there.
        if (!same || append.endsWith(event)) {
            unanswered.remove(event.runId());
        }
        return same;
    }
}
