package dev.loopkeeper.verdict;

import java.time.Instant;

/**
 * How old a signal file is, both times by the clock of its file system.
 *
 * @param changedAt when its content was last changed
 * @param preparedAt when its place was made free, right before the launch
 */
public record SignalAge(Instant changedAt, Instant preparedAt) {
    /** Whether it is from before the launch: then somebody put it there who is not this step. */
    boolean stale() {
        return changedAt.isBefore(preparedAt);
    }
}
