package dev.loopkeeper.run.progress;

import dev.loopkeeper.manifest.ItemSpec;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * An immutable table of a phase's items by id, in the order of the manifest. A changed copy shares almost all of its
 * data and keeps the counts, so that the cost of a step does not grow with the number of items.
 */
final class ItemTable extends AbstractMap<String, ItemWork> {
    private static final int CHUNK = 64;

    private final Map<String, Integer> indexes;
    private final ItemWork[][] chunks;
    private final Map<ItemStatus, Integer> counts;
    /** Positions of running items, in order. */
    private final List<Integer> running;
    /** Computed on first use; each copy updates it. */
    private Optional<ReadyItems> readiness;

    private ItemTable(
            Map<String, Integer> indexes,
            ItemWork[][] chunks,
            Map<ItemStatus, Integer> counts,
            List<Integer> running,
            Optional<ReadyItems> readiness) {
        this.indexes = indexes;
        this.chunks = chunks;
        this.counts = counts;
        this.running = running;
        this.readiness = readiness;
    }

    /** Converts the items to a table. */
    static ItemTable of(Map<String, ItemWork> items) {
        if (items instanceof ItemTable table) {
            return table;
        }
        Map<String, Integer> indexes = new HashMap<>();
        ItemWork[][] chunks = new ItemWork[(items.size() + CHUNK - 1) / CHUNK][CHUNK];
        Map<ItemStatus, Integer> counts = new EnumMap<>(ItemStatus.class);
        List<Integer> running = new ArrayList<>();
        for (Map.Entry<String, ItemWork> item : items.entrySet()) {
            int index = indexes.size();
            ItemStatus status = item.getValue().status();
            indexes.put(item.getKey(), index);
            chunks[index / CHUNK][index % CHUNK] = item.getValue();
            counts.merge(status, 1, Integer::sum);
            if (status == ItemStatus.RUNNING) {
                running.add(index);
            }
        }
        return new ItemTable(indexes, chunks, counts, List.copyOf(running), Optional.empty());
    }

    /** Replaces an existing item. */
    ItemTable with(ItemWork item) {
        int index = indexes.get(item.id());
        ItemWork before = at(index);
        ItemWork[][] copy = chunks.clone();
        copy[index / CHUNK] = chunks[index / CHUNK].clone();
        copy[index / CHUNK][index % CHUNK] = item;
        if (before.status() == item.status()) {
            return new ItemTable(indexes, copy, counts, running, readiness);
        }
        Map<ItemStatus, Integer> counted = new EnumMap<>(counts);
        counted.merge(before.status(), -1, Integer::sum);
        counted.merge(item.status(), 1, Integer::sum);
        List<Integer> run = Stream.concat(
                        running.stream().filter(other -> other != index),
                        item.status() == ItemStatus.RUNNING ? Stream.of(index) : Stream.empty())
                .sorted()
                .toList();
        return new ItemTable(
                indexes,
                copy,
                counted,
                run,
                readiness.map(ready ->
                        ready.after(index, before.status(), other -> copy[other / CHUNK][other % CHUNK].status())));
    }

    /** The readiness of the same items, defined by the manifest in the same order. */
    ReadyItems readiness(List<ItemSpec> specs) {
        if (readiness.isEmpty()) {
            readiness =
                    Optional.of(ReadyItems.of(specs, indexes, index -> at(index).status()));
        }
        return readiness.get();
    }

    private ItemWork at(int index) {
        return chunks[index / CHUNK][index % CHUNK];
    }

    int count(ItemStatus status) {
        return counts.getOrDefault(status, 0);
    }

    Stream<ItemWork> running() {
        return running.stream().map(this::at);
    }

    /** The position of an existing item. */
    int index(String id) {
        return indexes.get(id);
    }

    @Override
    public ItemWork get(Object id) {
        Integer index = indexes.get(id);
        return index == null ? null : at(index);
    }

    @Override
    public boolean containsKey(Object id) {
        return indexes.containsKey(id);
    }

    @Override
    public int size() {
        return indexes.size();
    }

    @Override
    public Set<Entry<String, ItemWork>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Entry<String, ItemWork>> iterator() {
                return IntStream.range(0, indexes.size())
                        .mapToObj(ItemTable.this::at)
                        .map(item -> Map.entry(item.id(), item))
                        .iterator();
            }

            @Override
            public int size() {
                return indexes.size();
            }
        };
    }
}
