package dev.loopkeeper.process.tree;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Index of a snapshot for finding many trees without a walk over all processes for each. Immutable; results have the order of the snapshot.
 */
final class ProcessIndex {
    private final List<ProcessSnapshot.Seen> processes;
    private final Map<Long, List<Integer>> byPid = new HashMap<>();
    private final Map<Long, List<Integer>> bySession = new HashMap<>();
    private final Map<Long, List<Integer>> byGroup = new HashMap<>();
    private final Map<Long, List<Integer>> byParent = new HashMap<>();
    private final Map<String, List<Integer>> byNonce = new HashMap<>();

    ProcessIndex(List<ProcessSnapshot.Seen> processes) {
        this.processes = processes;
        for (int position = 0; position < processes.size(); position++) {
            ProcessSnapshot.Seen seen = processes.get(position);
            ProcessStat stat = seen.stat();
            put(byPid, stat.pid(), position);
            put(bySession, stat.session(), position);
            put(byGroup, stat.group(), position);
            put(byParent, stat.parent(), position);
            if (seen.bornOf() != stat.parent()) {
                put(byParent, seen.bornOf(), position);
            }
            if (seen.marks().containsKey(StepEnvironment.NONCE)) {
                put(byNonce, seen.nonce(), position);
            }
        }
    }

    private static <K> void put(Map<K, List<Integer>> index, K key, int position) {
        index.computeIfAbsent(key, first -> new ArrayList<>(2)).add(position);
    }

    /**
     * Returns processes with a mark of the tree, then their children, grandchildren and so on.
     *
     * @param number pid of the leader, and number of its session and group
     * @param known members found before
     * @param pids further pids, existing or not
     */
    List<ProcessSnapshot.Seen> family(long number, String nonce, Set<Identity> known, Set<Long> pids) {
        BitSet found = new BitSet(processes.size());
        add(found, byPid, number);
        add(found, bySession, number);
        add(found, byGroup, number);
        add(found, byNonce, nonce);
        for (Identity identity : known) {
            for (int position : byPid.getOrDefault(identity.pid(), List.of())) {
                if (processes.get(position).identity().equals(identity)) {
                    found.set(position);
                }
            }
        }
        pids.forEach(pid -> add(found, byPid, pid));
        List<ProcessSnapshot.Seen> family = new ArrayList<>();
        BitSet young = childrenOf(found);
        pids.forEach(pid -> add(young, byParent, pid));
        list(found, family);
        young.andNot(found);
        while (!young.isEmpty()) {
            found.or(young);
            list(young, family);
            BitSet children = childrenOf(young);
            young.clear();
            young.or(children);
            young.andNot(found);
        }
        return family;
    }

    private BitSet childrenOf(BitSet parents) {
        BitSet children = new BitSet(processes.size());
        parents.stream()
                .forEach(position ->
                        add(children, byParent, processes.get(position).stat().pid()));
        return children;
    }

    private static <K> void add(BitSet found, Map<K, List<Integer>> index, K key) {
        index.getOrDefault(key, List.of()).forEach(found::set);
    }

    private void list(BitSet indexes, List<ProcessSnapshot.Seen> family) {
        indexes.stream().forEach(position -> family.add(processes.get(position)));
    }
}
