package dev.loopkeeper.collection;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * An immutable map. A changed copy shares almost all of its data, so that an insertion costs the same in large and
 * small maps. Up to 32 entries keep their insertion order; larger maps are ordered by key hash.
 */
public final class SharedMap<V> extends AbstractMap<String, V> {
    private static final int FULL = 32;
    private static final int GROWTH = 4;

    /** Their number is a power of two. */
    private final Map<String, V>[] buckets;

    private final int size;

    private SharedMap(Map<String, V>[] buckets, int size) {
        this.buckets = buckets;
        this.size = size;
    }

    /** Converts a map. */
    public static <V> SharedMap<V> of(Map<String, V> map) {
        if (map instanceof SharedMap<V> shared) {
            return shared;
        }
        int buckets = 1;
        while (buckets * FULL < map.size()) {
            buckets *= GROWTH;
        }
        return spread(map, buckets);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no arrays of a generic type
    private static <V> SharedMap<V> spread(Map<String, V> map, int count) {
        Map<String, V>[] buckets = new Map[count];
        for (int bucket = 0; bucket < count; bucket++) {
            buckets[bucket] = new LinkedHashMap<>();
        }
        map.forEach((key, value) -> buckets[index(key, count)].put(key, value));
        return new SharedMap<>(buckets, map.size());
    }

    private static int index(Object key, int buckets) {
        int hash = key.hashCode();
        return (hash ^ (hash >>> 16)) & (buckets - 1);
    }

    /** Adds or replaces an entry. */
    public SharedMap<V> plus(String key, V value) {
        int index = index(key, buckets.length);
        Map<String, V> changed = new LinkedHashMap<>(buckets[index]);
        boolean more = changed.put(key, value) == null;
        Map<String, V>[] copy = buckets.clone();
        copy[index] = changed;
        SharedMap<V> with = new SharedMap<>(copy, more ? size + 1 : size);
        return with.size > FULL * buckets.length ? spread(with, buckets.length * GROWTH) : with;
    }

    /** Removes the entries with matching keys. */
    public SharedMap<V> without(Predicate<String> removed) {
        Map<String, V>[] copy = buckets.clone();
        int left = size;
        for (int index = 0; index < copy.length; index++) {
            if (copy[index].keySet().stream().anyMatch(removed)) {
                copy[index] = new LinkedHashMap<>(copy[index]);
                copy[index].keySet().removeIf(removed);
                left -= buckets[index].size() - copy[index].size();
            }
        }
        return left == size ? this : new SharedMap<>(copy, left);
    }

    @Override
    public V get(Object key) {
        return buckets[index(key, buckets.length)].get(key);
    }

    @Override
    public boolean containsKey(Object key) {
        return buckets[index(key, buckets.length)].containsKey(key);
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Set<Entry<String, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Entry<String, V>> iterator() {
                return Stream.of(buckets)
                        .flatMap(bucket -> bucket.entrySet().stream())
                        .map(Map.Entry::copyOf)
                        .iterator();
            }

            @Override
            public int size() {
                return size;
            }
        };
    }
}
