package dev.loopkeeper.ownership;

import java.util.List;
import java.util.Set;

/**
 * A node that may have further runs.
 *
 * @param roots shared folders that it has proven to see
 * @param places how many runs it carries out at a time, 1 or more
 * @param owned how many open runs it has
 */
public record Claimant(String node, Set<String> roots, int places, int owned) {
    /** Of one round, so that the others find something too and a claim is a short transaction. */
    public static final int MOST = 50;

    /** An open run without an owner. */
    public record FreeRun(String runId, Placement placement) {}

    /**
     * Which of them it claims now: the first that it can host, as many as it has places, {@link #MOST} at most. The
     * database gives a run to one claimant only, whose incarnation must be live there, and raises the run's epoch.
     *
     * @param free oldest first
     */
    public List<FreeRun> round(List<FreeRun> free) {
        return free.stream()
                .filter(run -> run.placement().hosts(node, roots))
                .limit(Math.max(0, Math.min(MOST, places - owned)))
                .toList();
    }
}
