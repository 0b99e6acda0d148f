package dev.loopkeeper.store.sqlite;

import java.time.Duration;

/**
 * How the embedded store works.
 *
 * @param maxBatch how many waiting writes share one sync at most; 1 to 10000, default 512
 * @param busyTimeout how long a write waits for another process that reads or copies; default 5 s
 * @param checkAtOpen whether opening a file that was not closed in order reads all of it to find damage; default true
 */
record SqliteOptions(int maxBatch, Duration busyTimeout, boolean checkAtOpen) {
    /** What holds unless configured. */
    static final SqliteOptions DEFAULTS = new SqliteOptions(512, Duration.ofSeconds(5), true);

    private static final int MOST = 10_000;

    /** Refuses what cannot work. */
    SqliteOptions {
        if (maxBatch < 1 || maxBatch > MOST) {
            throw new IllegalArgumentException("maxBatch must be 1 to " + MOST + ", was " + maxBatch);
        }
        if (busyTimeout.isNegative()) {
            throw new IllegalArgumentException("busyTimeout must not be negative, was " + busyTimeout);
        }
    }
}
