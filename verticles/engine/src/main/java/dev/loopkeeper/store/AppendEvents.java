package dev.loopkeeper.store;

import dev.loopkeeper.json.Json;
import java.util.List;
import java.util.Optional;

/**
 * Command: make events of one run durable, all or none. Refused with {@link StaleAppendException} unless the run's last
 * sequence is {@code expectedSequence} and no higher epoch has written.
 *
 * @param expectedSequence the run's last sequence; 0 creates the run
 * @param epoch fencing token of the owner, 1 if one process owns the store
 * @param events one or more, with sequences that follow {@code expectedSequence}
 * @param row the run after these events
 * @param snapshot the run's complete state after these events, from which it can be loaded
 * @param idempotencyKey stored as the key that created this run
 */
public record AppendEvents(
        String runId,
        long expectedSequence,
        long epoch,
        List<StoredEvent> events,
        RunRow row,
        Optional<String> snapshot,
        Optional<String> idempotencyKey) {
    /** A longer value, in characters, is serialized on a worker. */
    private static final int LARGE = 64 << 10;

    /** Fails with {@link IllegalArgumentException} for no events or for events out of sequence or of another run. */
    public AppendEvents {
        if (events.isEmpty()) {
            throw new IllegalArgumentException("an append needs an event, run " + runId);
        }
        if (!row.runId().equals(runId)) {
            throw new IllegalArgumentException("row of run " + row.runId() + " in an append to " + runId);
        }
        long next = expectedSequence;
        for (StoredEvent event : events) {
            next++;
            if (!event.runId().equals(runId) || event.sequence() != next) {
                throw new IllegalArgumentException("event " + event.sequence() + " of " + event.runId() + " where "
                        + next + " of " + runId + " belongs");
            }
        }
    }

    /** Returns whether to serialize it on a worker. */
    public boolean isLarge() {
        return Json.isLarge(row.view(), LARGE) || events.stream().anyMatch(event -> Json.isLarge(event.data(), LARGE));
    }
}
