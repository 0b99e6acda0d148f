package dev.loopkeeper.scheduler;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** What goes wrong each second for hours is told at once and from then on each minute. */
final class Reminders {
    static final Duration EVERY = Duration.ofMinutes(1);

    /** By the time of {@link System#nanoTime}, the oldest first. */
    private final Map<String, Long> told = new LinkedHashMap<>();

    boolean isDue(String about, long now) {
        Iterator<Long> oldest = told.values().iterator();
        while (oldest.hasNext() && now - oldest.next() >= EVERY.toNanos()) {
            oldest.remove();
        }
        return told.putIfAbsent(about, now) == null;
    }
}
