package dev.loopkeeper.store;

import java.util.List;

/**
 * Runs and the newest event over all runs, both of the same instant.
 *
 * @param lastPosition of the newest event; 0 when there is none
 * @param runs newest first
 */
public record RunsAt(long lastPosition, List<RunAt> runs) {
    /**
     * One run.
     *
     * @param row the run as it is now
     * @param sequence of its newest event that is not after the position asked for, 1 or more; 0 for a damaged run
     * @param current whether nothing happened to it after that event, so that the row is the run as it was then
     */
    public record RunAt(RunRow row, long sequence, boolean current) {}
}
