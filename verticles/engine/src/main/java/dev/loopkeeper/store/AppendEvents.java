package dev.loopkeeper.store;

import dev.loopkeeper.json.Json;
import java.util.List;
import java.util.Optional;

/**
 * Command: make these events of one run durable, all or none. Refused with {@link StaleAppendException} when the
 * run's last sequence is not {@code expectedSequence} or a higher epoch has written.
 *
 * @param expectedSequence the run's last sequence before this; 0 creates the run
 * @param epoch owner's fencing token, 1 where one process owns the store
 * @param events one or more, sequences following on {@code expectedSequence}
 * @param row the run after these events
 * @param snapshot the run's whole state after these events, to load from instead of older events
 * @param idempotencyKey remembered as having created this run
 */
public record AppendEvents(
        String runId,
        long expectedSequence,
        long epoch,
        List<StoredEvent> events,
        RunRow row,
        Optional<String> snapshot,
        Optional<String> idempotencyKey) {
    /** Characters of one value that are too many to be written as text on an event loop. */
    private static final int LARGE = 64 << 10;

    /** Refuses, with {@link IllegalArgumentException}, events that do not belong together or to this run. */
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

    /** Whether it is to be encoded on a worker. */
    public boolean isLarge() {
        return Json.isLarge(row.view(), LARGE) || events.stream().anyMatch(event -> Json.isLarge(event.data(), LARGE));
    }
}
