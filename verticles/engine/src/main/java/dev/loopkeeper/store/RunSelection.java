package dev.loopkeeper.store;

import java.util.Set;

/**
 * Selects runs at one instant: the named ones, or those with some statuses and the newest of the others.
 *
 * @param runIds only these; empty: use the other two
 * @param statuses wire names; all runs with one of them
 * @param newest number of other runs, those created last; 0 or more
 */
public record RunSelection(Set<String> runIds, Set<String> statuses, int newest) {
    /** Fails for a negative number. */
    public RunSelection {
        if (newest < 0) {
            throw new IllegalArgumentException("newest must be 0 or more, was " + newest);
        }
    }
}
