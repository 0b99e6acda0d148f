package dev.loopkeeper.run;

import dev.loopkeeper.manifest.ItemSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.IntFunction;

/**
 * Tracks which pending items may begin and which are blocked for good. Each change updates the sets, so that finding
 * the next item does not scan thousands. Immutable.
 */
final class ReadyItems {
    /** The fixed dependencies, by position: what each item requires and what requires it. */
    private static final class Graph {
        private final int[][] needs;
        private final int[][] needed;

        private Graph(int[][] needs, int[][] needed) {
            this.needs = needs;
            this.needed = needed;
        }

        static Graph of(List<ItemSpec> specs, Map<String, Integer> places) {
            int[][] needs = new int[specs.size()][];
            List<List<Integer>> needed = new ArrayList<>();
            specs.forEach(spec -> needed.add(new ArrayList<>()));
            for (ItemSpec spec : specs) {
                int place = places.get(spec.id());
                needs[place] = spec.dependsOn().stream().mapToInt(places::get).toArray();
                for (int other : needs[place]) {
                    needed.get(other).add(place);
                }
            }
            return new Graph(
                    needs,
                    needed.stream()
                            .map(positions -> positions.stream()
                                    .mapToInt(Integer::intValue)
                                    .toArray())
                            .toArray(int[][]::new));
        }
    }

    private final Graph graph;
    /** Pending, and all dependencies are approved. */
    private final BitSet free;
    /** Pending, and a dependency ended without approval. */
    private final BitSet lost;

    private ReadyItems(Graph graph, BitSet free, BitSet lost) {
        this.graph = graph;
        this.free = free;
        this.lost = lost;
    }

    /**
     * Computes the sets for these statuses.
     *
     * @param specs one for each position
     */
    static ReadyItems of(List<ItemSpec> specs, Map<String, Integer> places, IntFunction<ItemStatus> statuses) {
        ReadyItems none = new ReadyItems(Graph.of(specs, places), new BitSet(), new BitSet());
        for (int place = 0; place < specs.size(); place++) {
            none.judge(place, statuses);
        }
        return none;
    }

    /**
     * Updates the sets after a change.
     *
     * @param before previous status of the item at this position
     */
    ReadyItems after(int place, ItemStatus before, IntFunction<ItemStatus> statuses) {
        ReadyItems changed = new ReadyItems(graph, (BitSet) free.clone(), (BitSet) lost.clone());
        changed.judge(place, statuses);
        if (before.isOver() || statuses.apply(place).isOver()) {
            for (int other : graph.needed[place]) {
                changed.judge(other, statuses);
            }
        }
        return changed;
    }

    private void judge(int place, IntFunction<ItemStatus> statuses) {
        boolean allApproved = statuses.apply(place) == ItemStatus.PENDING;
        boolean anyLost = false;
        if (allApproved) {
            for (int other : graph.needs[place]) {
                ItemStatus status = statuses.apply(other);
                allApproved &= status == ItemStatus.APPROVED;
                anyLost |= status.isOver() && status != ItemStatus.APPROVED;
            }
        }
        free.set(place, allApproved);
        lost.set(place, anyLost);
    }

    /** The first item that may begin or is blocked for good. */
    OptionalInt first() {
        int begins = free.nextSetBit(0);
        int never = lost.nextSetBit(0);
        return place(begins < 0 || (never >= 0 && never < begins) ? never : begins);
    }

    /** The first item that is blocked for good. */
    OptionalInt firstLost() {
        return place(lost.nextSetBit(0));
    }

    private static OptionalInt place(int bit) {
        return bit < 0 ? OptionalInt.empty() : OptionalInt.of(bit);
    }
}
