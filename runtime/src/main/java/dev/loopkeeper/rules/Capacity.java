package dev.loopkeeper.rules;

import java.util.Optional;

/**
 * What there is for a run that is not under way and would be.
 *
 * @param place whether there is a place for it
 * @param conflict who has a signal file of its own; absent: nobody
 */
public record Capacity(boolean place, Optional<SignalInUse> conflict) {
    /** A place, and nobody else in the way. */
    public static final Capacity FREE = new Capacity(true, Optional.empty());
    /** No place. */
    public static final Capacity NONE = new Capacity(false, Optional.empty());

    /** Whether it may begin. */
    boolean free() {
        return place && conflict.isEmpty();
    }
}
