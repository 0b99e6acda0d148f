package dev.loopkeeper.gateway.feed;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/**
 * Bounded window of the newest encoded events by position, from which live clients are served. It contains every
 * received event after {@link #floor()}; the oldest are dropped first.
 */
final class LiveWindow {
    private final int maxEvents;
    private final int maxCharacters;
    private final ArrayDeque<EncodedEvent> events = new ArrayDeque<>();
    private long characters;
    private long floor;

    /** Creates a window for the events after this position. */
    LiveWindow(long floor, int maxEvents, int maxCharacters) {
        this.floor = floor;
        this.maxEvents = maxEvents;
        this.maxCharacters = maxCharacters;
    }

    /** Adds the next event; drops a duplicate, which is not newer than all others. Returns whether it was added. */
    boolean add(EncodedEvent event) {
        if (event.position() <= newest()) {
            return false;
        }
        events.addLast(event);
        characters += event.text().length();
        while (events.size() > maxEvents || (characters > maxCharacters && events.size() > 1)) {
            EncodedEvent oldest = events.removeFirst();
            characters -= oldest.text().length();
            floor = oldest.position();
        }
        return true;
    }

    /** Returns the position of the newest event; the floor if empty. */
    long newest() {
        return events.isEmpty() ? floor : events.getLast().position();
    }

    /** Returns the position up to which events are not in the window. */
    long floor() {
        return floor;
    }

    /** Returns whether all events after this position are in the window. */
    boolean reaches(long position) {
        return position >= floor;
    }

    /** Counts events after this position. Cheap in the usual case that there is none. */
    int countAfter(long position) {
        int count = 0;
        for (Iterator<EncodedEvent> newer = events.descendingIterator(); newer.hasNext(); count++) {
            if (newer.next().position() <= position) {
                break;
            }
        }
        return count;
    }

    /** Returns events after this position, oldest first. Cheap in the usual case that there is one. */
    List<EncodedEvent> after(long position) {
        if (newest() <= position) {
            return List.of();
        }
        List<EncodedEvent> newer = new ArrayList<>();
        Iterator<EncodedEvent> fromNewest = events.descendingIterator();
        while (fromNewest.hasNext()) {
            EncodedEvent event = fromNewest.next();
            if (event.position() <= position) {
                break;
            }
            newer.add(event);
        }
        Collections.reverse(newer);
        return newer;
    }
}
