package dev.loopkeeper.run;

import dev.loopkeeper.manifest.ItemSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.IntFunction;

/**
 * Which pending items of a phase may begin and which never will, by their places, kept up with each change: thousands
 * that wait are not looked at to find the next one. Never changes.
 */
final class ReadyItems {
    /** What is fixed: by place, on whom an item depends and who depends on it. */
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
                            .map(some ->
                                    some.stream().mapToInt(Integer::intValue).toArray())
                            .toArray(int[][]::new));
        }
    }

    private final Graph graph;
    /** Pending, and all that it depends on is approved. */
    private final BitSet free;
    /** Pending, and something that it depends on ended otherwise. */
    private final BitSet lost;

    private ReadyItems(Graph graph, BitSet free, BitSet lost) {
        this.graph = graph;
        this.free = free;
        this.lost = lost;
    }

    /**
     * Of items in these states.
     *
     * @param specs one for each place
     */
    static ReadyItems of(List<ItemSpec> specs, Map<String, Integer> places, IntFunction<ItemStatus> statuses) {
        ReadyItems none = new ReadyItems(Graph.of(specs, places), new BitSet(), new BitSet());
        for (int place = 0; place < specs.size(); place++) {
            none.judge(place, statuses);
        }
        return none;
    }

    /** After the item at this place, which was in this state, took another one. */
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

    /** The first that may begin or never will. */
    OptionalInt first() {
        int begins = free.nextSetBit(0);
        int never = lost.nextSetBit(0);
        return place(begins < 0 || (never >= 0 && never < begins) ? never : begins);
    }

    /** The first that never will begin. */
    OptionalInt firstLost() {
        return place(lost.nextSetBit(0));
    }

    private static OptionalInt place(int bit) {
        return bit < 0 ? OptionalInt.empty() : OptionalInt.of(bit);
    }
}
