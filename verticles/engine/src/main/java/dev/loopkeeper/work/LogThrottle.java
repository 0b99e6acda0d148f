package dev.loopkeeper.work;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Limits how often a repeated failure is logged: at once, then once a minute. Used by one thread at a time. */
public final class LogThrottle {
    static final Duration EVERY = Duration.ofMinutes(1);

    /** By the time of {@link System#nanoTime}, the oldest first. */
    private final Map<String, Long> logged = new LinkedHashMap<>();

    /**
     * Returns whether to log this now; false if it was logged within the last minute.
     *
     * @param now by {@link System#nanoTime}
     */
    public boolean isDue(String about, long now) {
        Iterator<Long> oldest = logged.values().iterator();
        while (oldest.hasNext() && now - oldest.next() >= EVERY.toNanos()) {
            oldest.remove();
        }
        return logged.putIfAbsent(about, now) == null;
    }
}
