package dev.loopkeeper.verdict;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The age of a signal file; both times are from the clock of its file system.
 *
 * @param changedAt last change of its content
 * @param preparedAt when the runtime removed an older file, immediately before the launch
 */
public record SignalAge(Instant changedAt, Instant preparedAt) {
    /**
     * Whether the file is older than the launch, so it is not from this step. A time in full seconds, as some programs
     * set it, is compared in full seconds.
     */
    boolean stale() {
        boolean coarse = changedAt.equals(changedAt.truncatedTo(ChronoUnit.SECONDS));
        return changedAt.isBefore(coarse ? preparedAt.truncatedTo(ChronoUnit.SECONDS) : preparedAt);
    }
}
