package dev.loopkeeper.rules.message;

import java.util.Optional;

/**
 * The capacity for a run that is about to start.
 *
 * @param slotFree whether a slot is free
 * @param conflict the run that uses a signal file of this run; empty when none does
 */
public record Capacity(boolean slotFree, Optional<SignalInUse> conflict) {
    /** A free slot and no conflict. */
    public static final Capacity FREE = new Capacity(true, Optional.empty());
    /** No free slot. */
    public static final Capacity NONE = new Capacity(false, Optional.empty());

    /** Whether the run may start. */
    public boolean free() {
        return slotFree && conflict.isEmpty();
    }
}
