package dev.loopkeeper.verdict;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * How old a signal file is, both times by the clock of its file system.
 *
 * @param changedAt when its content was last changed
 * @param preparedAt when its place was made free, right before the launch
 */
public record SignalAge(Instant changedAt, Instant preparedAt) {
    /**
     * Whether it is from before the launch: then it is not of this step. A time in whole seconds, as some programs set it,
     * is compared in whole seconds.
     */
    boolean stale() {
        boolean coarse = changedAt.equals(changedAt.truncatedTo(ChronoUnit.SECONDS));
        return changedAt.isBefore(coarse ? preparedAt.truncatedTo(ChronoUnit.SECONDS) : preparedAt);
    }
}
