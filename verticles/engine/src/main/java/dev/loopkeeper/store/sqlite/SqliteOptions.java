package dev.loopkeeper.store.sqlite;

import java.time.Duration;

/**
 * Options of the embedded store.
 *
 * @param maxBatch most writes in one commit; 1 to 10000, default 512
 * @param busyTimeout how long a write waits for another process that reads or copies; default 5 s
 * @param checkAtOpen whether opening a file that was not closed in order verifies all of it; default true
 */
record SqliteOptions(int maxBatch, Duration busyTimeout, boolean checkAtOpen) {
    static final SqliteOptions DEFAULTS = new SqliteOptions(512, Duration.ofSeconds(5), true);

    private static final int MOST = 10_000;

    /** Fails for values outside these ranges. */
    SqliteOptions {
        if (maxBatch < 1 || maxBatch > MOST) {
            throw new IllegalArgumentException("maxBatch must be 1 to " + MOST + ", was " + maxBatch);
        }
        if (busyTimeout.isNegative()) {
            throw new IllegalArgumentException("busyTimeout must not be negative, was " + busyTimeout);
        }
    }
}
