package dev.loopkeeper.store;

/**
 * Delivery progress of one target. Pending are the events of its run after {@code sequence} and up to
 * {@code newestPending} that it subscribes to.
 *
 * @param sequence up to this event all was delivered, given up or not subscribed; 0 or more
 * @param newestPending the newest event that is or was pending
 * @param tries failed attempts of the next pending event
 */
public record OutboxCursor(OutboxTarget target, long sequence, long newestPending, int tries) {
    /** Returns whether a delivery is pending. */
    public boolean behind() {
        return newestPending > sequence;
    }
}
