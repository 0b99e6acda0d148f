package dev.loopkeeper.collection;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Copies immutable collections with a change, in the same order. */
public final class Copies {
    private Copies() {}

    public static <T> List<T> plus(List<T> list, T element) {
        List<T> copy = new ArrayList<>(list);
        copy.add(element);
        return Collections.unmodifiableList(copy);
    }

    public static <K, V> Map<K, V> plus(Map<K, V> map, K key, V value) {
        Map<K, V> copy = new LinkedHashMap<>(map);
        copy.put(key, value);
        return Collections.unmodifiableMap(copy);
    }

    /** The counts with one more for this key. */
    public static <K> Map<K, Integer> counted(Map<K, Integer> counts, K key) {
        return plus(counts, key, counts.getOrDefault(key, 0) + 1);
    }

    public static <K, V> Map<K, V> minus(Map<K, V> map, K key) {
        Map<K, V> copy = new LinkedHashMap<>(map);
        copy.remove(key);
        return Collections.unmodifiableMap(copy);
    }
}
