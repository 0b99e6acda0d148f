package dev.loopkeeper.scheduler;

import java.util.HashMap;
import java.util.Map;

/**
 * When a run's next snapshot is due: after so many events that keeping snapshots costs no more than keeping the events
 * themselves. A run of thousands of items has a snapshot of megabytes; one at each two hundredth event would write
 * gigabytes, while a load that reads some thousand events more costs no more than reading such a snapshot. Used from one
 * context only.
 */
final class SnapshotPace {
    private static final long LEAST = 200;
    private static final int BYTES_PER_EVENT = 1024;

    /** Events from one to the next, of runs that need more than the least. */
    private final Map<String, Long> slower = new HashMap<>();

    /** Whether one is due once the run has come from this sequence to that one. */
    boolean isDue(String runId, long before, long after) {
        long every = slower.getOrDefault(runId, LEAST);
        return before / every != after / every;
    }

    /** The run's last one is so long. */
    void made(String runId, int length) {
        long every = length / BYTES_PER_EVENT;
        if (every > LEAST) {
            slower.put(runId, every);
        } else {
            slower.remove(runId);
        }
    }

    /** The run is over, or removed. */
    void forget(String runId) {
        slower.remove(runId);
    }
}
