package dev.loopkeeper.work;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map that drops its first entry beyond a number of entries. Not for several threads. */
public final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
    private final int most;

    private BoundedMap(int most, boolean byUse) {
        super(16, 0.75f, byUse);
        this.most = most;
    }

    /** Drops the entry that was added first. */
    public static <K, V> Map<K, V> byAge(int most) {
        return new BoundedMap<>(most, false);
    }

    /** Drops the entry that was not used for the longest time. */
    public static <K, V> Map<K, V> byUse(int most) {
        return new BoundedMap<>(most, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
