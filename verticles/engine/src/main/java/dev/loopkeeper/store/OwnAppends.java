package dev.loopkeeper.store;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Tells which of the events that become known were appended here. An append that the store did not answer may be durable:
 * its events are known again by what they say. On one context.
 */
final class OwnAppends {
    /** Of what was answered and is not published yet. */
    private final Set<Long> positions = new HashSet<>();
    /** The last of each run. */
    private final Map<String, AppendEvents> unanswered = new HashMap<>();

    /** It is durable. */
    void answered(AppendEvents append, Appended appended) {
        unanswered.remove(append.runId());
        long last = appended.lastPosition();
        for (long position = last - append.events().size() + 1; position <= last; position++) {
            positions.add(position);
        }
    }

    /** Nobody knows whether it is durable. */
    void unanswered(AppendEvents append) {
        unanswered.put(append.runId(), append);
    }

    /** To be asked once about each event that is published. */
    boolean isOwn(PositionedEvent event) {
        return positions.remove(event.position()) || wasUnanswered(event.event());
    }

    private boolean wasUnanswered(StoredEvent event) {
        AppendEvents append = unanswered.get(event.runId());
        if (append == null || event.sequence() <= append.expectedSequence()) {
            return false;
        }
        long index = event.sequence() - append.expectedSequence() - 1;
        if (index >= append.events().size() - 1L) {
            unanswered.remove(event.runId());
        }
        return index < append.events().size() && isSame(append.events().get((int) index), event);
    }

    /** Another who has the run by now gives the same number to something else, at another time. */
    private static boolean isSame(StoredEvent asked, StoredEvent durable) {
        return asked.sequence() == durable.sequence()
                && asked.type().equals(durable.type())
                && asked.at().equals(durable.at());
    }
}
