package dev.loopkeeper.store;

import java.util.Set;

/**
 * Which runs are wanted at one instant: those that are named, or else those of some statuses and the newest of the
 * others.
 *
 * @param runIds these and no others; empty: as the other two say
 * @param statuses wire forms; every run that has one of them
 * @param newest how many of all others, those that were created last; 0 or more
 */
public record RunSelection(Set<String> runIds, Set<String> statuses, int newest) {
    /** Refuses a number below 0. */
    public RunSelection {
        if (newest < 0) {
            throw new IllegalArgumentException("newest must be 0 or more, was " + newest);
        }
    }
}
