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
 * @param rooms the other live nodes with free slots
 */
public record QueueShare(List<Room> rooms) {
    /**
     * A node with free slots.
     *
     * @param roots shared folders that it can access
     * @param free number of free slots, 1 or more
     */
    public record Room(String node, Set<String> roots, int free) {}

    /**
     * Chooses the waiting runs that a node releases for other nodes: the oldest first, as many as the others have slots
     * for, at most {@link Claimant#MOST}. Runs without an owner already have a claim to those slots.
     *
     * @param waiting runs that wait for a slot on this node, oldest first
     * @param free runs without an owner
     */
    public List<FreeRun> givenAway(List<FreeRun> waiting, List<FreeRun> free) {
        Map<String, Integer> left = new HashMap<>();
        rooms.forEach(room -> left.put(room.node(), room.free()));
        free.forEach(run -> room(run, left).ifPresent(node -> left.merge(node, -1, Integer::sum)));
        List<FreeRun> given = new ArrayList<>();
        for (FreeRun run : waiting) {
            room(run, left).ifPresent(node -> {
                left.merge(node, -1, Integer::sum);
                given.add(run);
            });
        }
        return given.subList(0, Math.min(Claimant.MOST, given.size()));
    }

    private Optional<String> room(FreeRun run, Map<String, Integer> left) {
        return rooms.stream()
                .filter(room -> left.get(room.node()) > 0 && run.placement().hosts(room.node(), room.roots()))
                .map(Room::node)
                .findFirst();
    }
}
