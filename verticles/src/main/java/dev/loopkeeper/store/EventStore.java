package dev.loopkeeper.store;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Port: the append-only truth. Every future completes on the caller's context. A failed append wrote nothing; an
 * append that succeeded survives {@code kill -9} and power loss. Appends that wait at the same time share one sync.
 */
public interface EventStore {
    /** Makes events durable. Fails with {@link StaleAppendException}, or {@link StoreException} on disk trouble. */
    Future<Appended> append(AppendEvents append);

    /** Events of one run after {@code since}, oldest first, at most {@code limit}; empty for an unknown run. */
    Future<List<PositionedEvent>> events(String runId, long since, int limit);

    /** Events of all runs after this position, oldest first, at most {@code limit}. */
    Future<List<PositionedEvent>> eventsAfter(long position, int limit);

    /** The position of the newest event; 0 when there is none. */
    Future<Long> lastPosition();

    /** Everything of one run; empty when unknown. */
    Future<Optional<StoredRun>> load(String runId);

    /** What lists show of one run; empty when unknown. */
    Future<Optional<RunRow>> find(String runId);

    /** Runs, newest first. */
    Future<RunPage> list(RunQuery query);

    /** The run that was created under this key; empty when none was. */
    Future<Optional<String>> runOfKey(String idempotencyKey);

    /** Keeps one stop receipt, as JSON text, with its run. */
    Future<Void> addReceipt(String runId, String receipt);

    /** The stop receipts of one run, oldest first. */
    Future<List<String>> receipts(String runId);

    /** Waits for appends under way and lets go of the files. */
    Future<Void> close();
}
