package dev.loopkeeper.scheduler;

import java.nio.file.Path;

/**
 * Configures the scheduler.
 *
 * @param data the data folder, absolute
 * @param maxRuns how many runs may be active at once, more wait as {@code queued}; 0 = no limit, the default
 */
public record SchedulerOptions(Path data, int maxRuns) {
    /** Refuses a negative number of runs and a relative folder. */
    public SchedulerOptions {
        if (maxRuns < 0) {
            throw new IllegalArgumentException("maxRuns must be 0 or more, was " + maxRuns);
        }
        if (!data.isAbsolute()) {
            throw new IllegalArgumentException("data must be an absolute path, was " + data);
        }
    }
}
