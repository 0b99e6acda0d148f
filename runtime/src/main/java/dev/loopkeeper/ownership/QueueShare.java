package dev.loopkeeper.ownership;

import dev.loopkeeper.ownership.Claimant.FreeRun;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One queue over the nodes: what waits for a place on one node goes to another that has one.
 *
 * @param rooms the other live nodes that have free places
 */
public record QueueShare(List<Room> rooms) {
    /**
     * A node with free places.
     *
     * @param roots shared folders that it has proven to see
     * @param free how many further runs it may carry out, 1 or more
     */
    public record Room(String node, Set<String> roots, int free) {}

    /**
     * Which of its waiting runs a node gives back for others to claim: the oldest first, no more than the others have
     * places for, {@link Claimant#MOST} at most. What is free already is on its way to those places.
     *
     * @param waiting those that wait for a place on this node, oldest first
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
