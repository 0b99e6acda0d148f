package dev.loopkeeper.scheduler;

import java.util.concurrent.TimeUnit;

/** Detects an agent that reported success but neither exits nor prints anything more. */
final class Lingering {
    /** Agents write their own records, and run hooks of their users, after their final output. */
    static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(30);

    private long printed = -1;
    private long sinceNanos;

    /**
     * Takes the newest reading of the output.
     *
     * @param succeeded whether the last record is a final one of success
     * @param size bytes printed so far
     */
    boolean isTooLong(boolean succeeded, long size, long nowNanos) {
        if (!succeeded || size != printed) {
            printed = succeeded ? size : -1;
            sinceNanos = nowNanos;
        }
        return succeeded && nowNanos - sinceNanos >= LONGEST_NANOS;
    }
}
