package dev.loopkeeper.gateway.feed;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/**
 * The newest events, encoded, in the order of their positions: what live clients are served from. Bounded; the oldest
 * leave first. Every event after {@link #floor()} that was heard is in it.
 */
final class LiveWindow {
    private final int maxEvents;
    private final int maxCharacters;
    private final ArrayDeque<EncodedEvent> events = new ArrayDeque<>();
    private long characters;
    private long floor;

    /** A window in which every event after this position is going to be. */
    LiveWindow(long floor, int maxEvents, int maxCharacters) {
        this.floor = floor;
        this.maxEvents = maxEvents;
        this.maxCharacters = maxCharacters;
    }

    /** Takes the next event; one that is not newer than all others was told twice and is dropped. */
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

    /** Position of the newest event in it; the floor when it is empty. */
    long newest() {
        return events.isEmpty() ? floor : events.getLast().position();
    }

    /** The position that nothing before is kept of. */
    long floor() {
        return floor;
    }

    /** Whether everything after this position is still here. */
    boolean reaches(long position) {
        return position >= floor;
    }

    /** How many came after this position. The usual case, none, costs one look. */
    int countAfter(long position) {
        int count = 0;
        for (Iterator<EncodedEvent> newer = events.descendingIterator(); newer.hasNext(); count++) {
            if (newer.next().position() <= position) {
                break;
            }
        }
        return count;
    }

    /** What came after this position, oldest first. The usual case, only the newest, costs one look. */
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
