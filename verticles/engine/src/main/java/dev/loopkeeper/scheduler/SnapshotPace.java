package dev.loopkeeper.scheduler;

import java.util.HashMap;
import java.util.Map;

/**
 * Decides when a run's next snapshot is due: after so many events that snapshots cost no more than the events. A run of
 * thousands of items has a snapshot of megabytes; one per 200 events would write gigabytes, while reading some thousand
 * more events costs no more than reading such a snapshot. Used from one context only.
 */
final class SnapshotPace {
    private static final long LEAST = 200;
    private static final int BYTES_PER_EVENT = 1024;

    /** Events between snapshots, of runs that need more than the least. */
    private final Map<String, Long> slower = new HashMap<>();

    /** Whether a snapshot is due when the run moves from one sequence to the other. */
    boolean isDue(String runId, long before, long after) {
        long every = slower.getOrDefault(runId, LEAST);
        return before / every != after / every;
    }

    /** Records the length of the run's latest snapshot. */
    void made(String runId, int length) {
        long every = length / BYTES_PER_EVENT;
        if (every > LEAST) {
            slower.put(runId, every);
        } else {
            slower.remove(runId);
        }
    }

    /** Forgets a run that has ended or was removed. */
    void forget(String runId) {
        slower.remove(runId);
    }
}
