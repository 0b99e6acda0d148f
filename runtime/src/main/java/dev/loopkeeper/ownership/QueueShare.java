package dev.loopkeeper.ownership;

import dev.loopkeeper.ownership.Claimant.FreeRun;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Shares the queue among nodes: a run that waits on one node moves to a node with a free slot.
 *
 * @param nodes the other live nodes with free slots
 */
public record QueueShare(List<FreeSlots> nodes) {
    /**
     * A node with free slots.
     *
     * @param roots shared folders that it can access
     * @param free number of free slots, 1 or more
     */
    public record FreeSlots(String node, Set<String> roots, int free) {}

    /**
     * Chooses the waiting runs that a node releases for other nodes: the oldest first, as many as the others have slots
     * for, at most {@link Claimant#MOST}. Runs without an owner already have a claim to those slots.
     *
     * @param waiting runs that wait for a slot on this node, oldest first
     * @param free runs without an owner
     */
    public List<FreeRun> givenAway(List<FreeRun> waiting, List<FreeRun> free) {
        Map<String, Integer> left = new HashMap<>();
        nodes.forEach(slots -> left.put(slots.node(), slots.free()));
        free.forEach(run -> hostOf(run, left).ifPresent(node -> left.merge(node, -1, Integer::sum)));
        List<FreeRun> given = new ArrayList<>();
        for (FreeRun run : waiting) {
            hostOf(run, left).ifPresent(node -> {
                left.merge(node, -1, Integer::sum);
                given.add(run);
            });
        }
        return given.subList(0, Math.min(Claimant.MOST, given.size()));
    }

    private Optional<String> hostOf(FreeRun run, Map<String, Integer> left) {
        return nodes.stream()
                .filter(slots -> left.get(slots.node()) > 0 && run.placement().hosts(slots.node(), slots.roots()))
                .map(FreeSlots::node)
                .findFirst();
    }
}
