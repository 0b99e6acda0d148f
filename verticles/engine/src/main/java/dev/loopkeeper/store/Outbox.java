package dev.loopkeeper.store;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Port: the durable notifications of a store that are not delivered yet. Fails as {@link EventStore} does. */
public interface Outbox {
    /** Returns pending deliveries; empty before the first {@link #beginOutbox}. */
    Future<Optional<OutboxState>> outbox();

    /** Initializes the outbox unless it exists. */
    Future<Void> beginOutbox(OutboxState start);

    /**
     * Records that all events up to this position were checked and which deliveries are pending: raises
     * {@link OutboxCursor#newestPending}, or adds a new target with the given cursor. Idempotent. Returns the resulting
     * cursors.
     */
    Future<List<OutboxCursor>> addPending(long position, List<OutboxCursor> pending);

    /**
     * Records the result of a delivery attempt: the target's cursor and tries, which never go back. Removes the target
     * if the run no longer exists.
     */
    Future<Void> tried(OutboxCursor after);

    /**
     * Returns the key that signs the links that answer pauses; empty if there is none.
     *
     * @param fresh becomes the key if there is none
     */
    Future<Optional<String>> answerKey(Optional<String> fresh);

    /**
     * A receiver of notifications: one entry of one run's {@code notify}.
     *
     * @param notification index in the manifest's {@code notify}, from 0
     */
    record OutboxTarget(String runId, int notification) {}

    /**
     * Delivery progress of one target. Pending are the events of its run after {@code sequence} and up to
     * {@code newestPending} that it subscribes to.
     *
     * @param sequence up to this event all was delivered, given up or not subscribed; 0 or more
     * @param newestPending the newest event that is or was pending
     * @param tries failed attempts of the next pending event
     */
    record OutboxCursor(OutboxTarget target, long sequence, long newestPending, int tries) {
        /** Returns whether a delivery is pending. */
        public boolean behind() {
            return newestPending > sequence;
        }
    }

    /**
     * Pending deliveries of all targets.
     *
     * @param position all events up to this position were checked
     * @param pending targets with pending deliveries, in no order
     */
    record OutboxState(long position, List<OutboxCursor> pending) {}
}
