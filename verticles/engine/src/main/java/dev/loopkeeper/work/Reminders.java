package dev.loopkeeper.work;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** What goes wrong each second for hours is told at once and from then on each minute. Used by one thread at a time. */
public final class Reminders {
    static final Duration EVERY = Duration.ofMinutes(1);

    /** By the time of {@link System#nanoTime}, the oldest first. */
    private final Map<String, Long> told = new LinkedHashMap<>();

    /**
     * Whether this is to be told now; else it was told within the last minute.
     *
     * @param now by {@link System#nanoTime}
     */
    public boolean isDue(String about, long now) {
        Iterator<Long> oldest = told.values().iterator();
        while (oldest.hasNext() && now - oldest.next() >= EVERY.toNanos()) {
            oldest.remove();
        }
        return told.putIfAbsent(about, now) == null;
    }
}
