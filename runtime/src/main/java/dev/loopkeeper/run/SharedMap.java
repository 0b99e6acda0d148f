package dev.loopkeeper.run;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A map that never changes. A changed copy shares with it all but a small part, so that one more beside thousands costs
 * no more than one more beside dozens. Up to 32 entries stand in the order in which they came; more, in an order that
 * goes by their keys.
 */
final class SharedMap<V> extends AbstractMap<String, V> {
    private static final int FULL = 32;
    private static final int GROWTH = 4;

    /** A power of two of them. */
    private final Map<String, V>[] buckets;

    private final int size;

    private SharedMap(Map<String, V>[] buckets, int size) {
        this.buckets = buckets;
        this.size = size;
    }

    /** The same entries. */
    static <V> SharedMap<V> of(Map<String, V> map) {
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
        map.forEach((key, value) -> buckets[place(key, count)].put(key, value));
        return new SharedMap<>(buckets, map.size());
    }

    private static int place(Object key, int buckets) {
        int hash = key.hashCode();
        return (hash ^ (hash >>> 16)) & (buckets - 1);
    }

    /** With this entry, in place of another one of the same key. */
    SharedMap<V> plus(String key, V value) {
        int place = place(key, buckets.length);
        Map<String, V> changed = new LinkedHashMap<>(buckets[place]);
        boolean more = changed.put(key, value) == null;
        Map<String, V>[] copy = buckets.clone();
        copy[place] = changed;
        SharedMap<V> with = new SharedMap<>(copy, more ? size + 1 : size);
        return with.size > FULL * buckets.length ? spread(with, buckets.length * GROWTH) : with;
    }

    /** Without the entries of these keys. */
    SharedMap<V> without(Predicate<String> gone) {
        Map<String, V>[] copy = buckets.clone();
        int left = size;
        for (int place = 0; place < copy.length; place++) {
            if (copy[place].keySet().stream().anyMatch(gone)) {
                copy[place] = new LinkedHashMap<>(copy[place]);
                copy[place].keySet().removeIf(gone);
                left -= buckets[place].size() - copy[place].size();
            }
        }
        return left == size ? this : new SharedMap<>(copy, left);
    }

    @Override
    public V get(Object key) {
        return buckets[place(key, buckets.length)].get(key);
    }

    @Override
    public boolean containsKey(Object key) {
        return buckets[place(key, buckets.length)].containsKey(key);
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
