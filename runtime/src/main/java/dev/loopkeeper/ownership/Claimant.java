package dev.loopkeeper.ownership;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which runs a node claims.
 *
 * @param roots shared folders that the node can access
 * @param places number of run slots, 1 or more
 * @param held occupied slots: runs that are running, waiting for a retry or stopping
 */
public record Claimant(String node, Set<String> roots, int places, int held) {
    /** Claims of one round. The limit leaves runs for other nodes and keeps the transaction short. */
    public static final int MOST = 50;

    /**
     * An open run that waits for a slot or an owner.
     *
     * @param createdAt older runs come first
     */
    public record FreeRun(String runId, Placement placement, Instant createdAt) {}

    /**
     * Chooses the runs to claim: the oldest that the node can host, one for each free slot, at most {@link #MOST}. A
     * full node also claims runs older than every run waiting on it, so that busy nodes do not starve a run. The
     * database gives a run to only one claimant, whose incarnation must be live there, and raises the run's epoch.
     *
     * @param free runs without an owner, oldest first
     * @param oldestWaiting creation time of the oldest run that waits on this node; empty to skip the comparison
     */
    public List<FreeRun> round(List<FreeRun> free, Optional<Instant> oldestWaiting) {
        List<FreeRun> hosted = free.stream()
                .filter(run -> run.placement().hosts(node, roots))
                .limit(MOST)
                .toList();
        int slots = Math.max(0, Math.min(hosted.size(), places - held));
        int older = (int) hosted.stream()
                .filter(run -> oldestWaiting
                        .filter(since -> run.createdAt().isBefore(since))
                        .isPresent())
                .count();
        return hosted.subList(0, Math.max(slots, older));
    }
}
