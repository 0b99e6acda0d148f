package dev.loopkeeper.ownership;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A node that may have further runs.
 *
 * @param roots shared folders that it has proven to see
 * @param places how many runs it carries out at a time, 1 or more
 * @param held how many of them are taken: its runs that are running, waiting for a retry or stopping
 */
public record Claimant(String node, Set<String> roots, int places, int held) {
    /** Of one round, so that the others find something too and a claim is a short transaction. */
    public static final int MOST = 50;

    /**
     * An open run that waits for a place or for an owner.
     *
     * @param createdAt its age decides who is next
     */
    public record FreeRun(String runId, Placement placement, Instant createdAt) {}

    /**
     * Which of them it claims now: the first that it can host, as many as it has places, {@link #MOST} at most. Beyond
     * its places it takes those that have waited longer than what waits on it, so that no run is passed over for ever by
     * nodes that are never free. The database gives a run to one claimant only, whose incarnation must be live there, and
     * raises the run's epoch.
     *
     * @param free without an owner, oldest first
     * @param oldestWaiting since when the first run waits that waits on this node, if it is to compare itself with that
     */
    public List<FreeRun> round(List<FreeRun> free, Optional<Instant> oldestWaiting) {
        List<FreeRun> hosted = free.stream()
                .filter(run -> run.placement().hosts(node, roots))
                .limit(MOST)
                .toList();
        int room = Math.max(0, Math.min(hosted.size(), places - held));
        int older = (int) hosted.stream()
                .filter(run -> oldestWaiting
                        .filter(since -> run.createdAt().isBefore(since))
                        .isPresent())
                .count();
        return hosted.subList(0, Math.max(room, older));
    }
}
