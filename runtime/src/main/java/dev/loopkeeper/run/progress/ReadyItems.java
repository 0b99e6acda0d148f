package dev.loopkeeper.run.progress;

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
 *
 * @param free items that are pending, and all of whose dependencies are approved
 * @param lost items that are pending, and one of whose dependencies ended without approval
 */
record ReadyItems(Graph graph, BitSet free, BitSet lost) {
    /** The fixed dependencies, by position: what each item requires and what requires it. */
    private static final class Graph {
        private final int[][] needs;
        private final int[][] needed;

        private Graph(int[][] needs, int[][] needed) {
            this.needs = needs;
            this.needed = needed;
        }

        static Graph of(List<ItemSpec> specs, Map<String, Integer> indexes) {
            int[][] needs = new int[specs.size()][];
            List<List<Integer>> needed = new ArrayList<>();
            specs.forEach(spec -> needed.add(new ArrayList<>()));
            for (ItemSpec spec : specs) {
                int index = indexes.get(spec.id());
                needs[index] = spec.dependsOn().stream().mapToInt(indexes::get).toArray();
                for (int other : needs[index]) {
                    needed.get(other).add(index);
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

    /**
     * Computes the sets for these statuses.
     *
     * @param specs one for each position
     */
    static ReadyItems of(List<ItemSpec> specs, Map<String, Integer> indexes, IntFunction<ItemStatus> statuses) {
        ReadyItems none = new ReadyItems(Graph.of(specs, indexes), new BitSet(), new BitSet());
        for (int index = 0; index < specs.size(); index++) {
            none.judge(index, statuses);
        }
        return none;
    }

    /**
     * Updates the sets after a change.
     *
     * @param before previous status of the item at this position
     */
    ReadyItems after(int index, ItemStatus before, IntFunction<ItemStatus> statuses) {
        ReadyItems changed = new ReadyItems(graph, (BitSet) free.clone(), (BitSet) lost.clone());
        changed.judge(index, statuses);
        if (before.isOver() || statuses.apply(index).isOver()) {
            for (int other : graph.needed[index]) {
                changed.judge(other, statuses);
            }
        }
        return changed;
    }

    private void judge(int index, IntFunction<ItemStatus> statuses) {
        boolean allApproved = statuses.apply(index) == ItemStatus.PENDING;
        boolean anyLost = false;
        if (allApproved) {
            for (int other : graph.needs[index]) {
                ItemStatus status = statuses.apply(other);
                allApproved &= status == ItemStatus.APPROVED;
                anyLost |= status.isOver() && status != ItemStatus.APPROVED;
            }
        }
        free.set(index, allApproved);
        lost.set(index, anyLost);
    }

    /** The first item that may begin or is blocked for good. */
    OptionalInt first() {
        int begins = free.nextSetBit(0);
        int never = lost.nextSetBit(0);
        return index(begins < 0 || (never >= 0 && never < begins) ? never : begins);
    }

    /** The first item that is blocked for good. */
    OptionalInt firstLost() {
        return index(lost.nextSetBit(0));
    }

    private static OptionalInt index(int bit) {
        return bit < 0 ? OptionalInt.empty() : OptionalInt.of(bit);
    }
}
