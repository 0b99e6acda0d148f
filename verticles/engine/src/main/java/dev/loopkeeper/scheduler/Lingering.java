package dev.loopkeeper.scheduler;

import java.util.concurrent.TimeUnit;

/** Whether an agent does not end though it has said that it succeeded, and prints nothing more. */
final class Lingering {
    /** Agents write their own records, and run hooks of their users, after their last word. */
    static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(30);

    private long printed = -1;
    private long sinceNanos;

    /**
     * What the newest look at its output found.
     *
     * @param succeeded whether the last record is a final one of success
     * @param size of all that it printed
     */
    boolean isTooLong(boolean succeeded, long size, long nowNanos) {
        if (!succeeded || size != printed) {
            printed = succeeded ? size : -1;
            sinceNanos = nowNanos;
        }
        return succeeded && nowNanos - sinceNanos >= LONGEST_NANOS;
    }
}
