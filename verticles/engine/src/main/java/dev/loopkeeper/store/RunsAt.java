package dev.loopkeeper.store;

import java.util.List;

/**
 * Runs and the newest event over all runs at one instant.
 *
 * @param lastPosition of the newest event; 0 if there is none
 * @param runs newest first
 */
public record RunsAt(long lastPosition, List<RunAt> runs) {
    /**
     * A run at the requested position.
     *
     * @param row the run as it is now
     * @param sequence its newest event up to the position, 1 or more; 0 for a damaged run
     * @param current whether it has no later event, so that the row is the run as it was then
     */
    public record RunAt(RunRow row, long sequence, boolean current) {}
}
