package dev.loopkeeper.process.tree;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the processes of a tree without a walk over all of the machine. Worth its making where many trees are looked for
 * in one snapshot. Immutable; answers in the order of the snapshot.
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
        for (int place = 0; place < processes.size(); place++) {
            ProcessSnapshot.Seen seen = processes.get(place);
            ProcessStat stat = seen.stat();
            put(byPid, stat.pid(), place);
            put(bySession, stat.session(), place);
            put(byGroup, stat.group(), place);
            put(byParent, stat.parent(), place);
            if (seen.bornOf() != stat.parent()) {
                put(byParent, seen.bornOf(), place);
            }
            if (seen.marks().containsKey(StepEnvironment.NONCE)) {
                put(byNonce, seen.nonce(), place);
            }
        }
    }

    private static <K> void put(Map<K, List<Integer>> index, K key, int place) {
        index.computeIfAbsent(key, first -> new ArrayList<>(2)).add(place);
    }

    /**
     * Who has one of these marks of a tree, then their children, the children of those, and so on.
     *
     * @param number of the session and the group, and pid of the leader
     * @param known who was found before
     * @param pids further ones, there or not
     */
    List<ProcessSnapshot.Seen> family(long number, String nonce, Set<Identity> known, Set<Long> pids) {
        BitSet found = new BitSet(processes.size());
        add(found, byPid, number);
        add(found, bySession, number);
        add(found, byGroup, number);
        add(found, byNonce, nonce);
        for (Identity identity : known) {
            for (int place : byPid.getOrDefault(identity.pid(), List.of())) {
                if (processes.get(place).identity().equals(identity)) {
                    found.set(place);
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
                .forEach(place ->
                        add(children, byParent, processes.get(place).stat().pid()));
        return children;
    }

    private static <K> void add(BitSet found, Map<K, List<Integer>> index, K key) {
        index.getOrDefault(key, List.of()).forEach(found::set);
    }

    private void list(BitSet places, List<ProcessSnapshot.Seen> family) {
        places.stream().forEach(place -> family.add(processes.get(place)));
    }
}
