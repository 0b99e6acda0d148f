package dev.loopkeeper.store;

import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Port: the append-only event store. Futures complete on the caller's context. Only events appended by
 * {@link CheckpointWriter}, over the event bus, are published. A failed append wrote nothing, except that its events
 * may exist after {@link StoreUnavailableException}, or after a failed sync followed by power loss. A successful append
 * survives {@code kill -9} and power loss. Concurrent appends share one sync.
 *
 * <p>Each method may fail with {@link StoreException} if the store cannot be read or written, and with
 * {@link StoreUnavailableException} if it does not answer soon or too many requests wait.
 *
 * <p>A read of events ends after {@link #READ_BYTES} of data, so it may return fewer than its limit. Only an empty
 * result means that there are no more; {@link EventPages} reads until then.
 */
public interface EventStore {
    /** Bytes of data after which a read of events ends; it returns at least one event. */
    int READ_BYTES = 256 << 10;

    /** Bytes of run objects after which a page of a list ends; it has at least one run. */
    int LIST_BYTES = 4 << 20;

    /**
     * Makes events durable. Fails with {@link StaleAppendException}, with {@link KeyTakenException} if the key has
     * created another run, or with {@link StoreException} if the disk fails.
     */
    Future<Appended> append(AppendEvents append);

    /** Returns events of one run after {@code since}, oldest first, at most {@code limit}; empty for an unknown run. */
    Future<List<PositionedEvent>> events(String runId, long since, int limit);

    /** Returns the selected events; empty for an unknown run. */
    Future<List<PositionedEvent>> events(EventQuery query);

    /** Returns events of all runs after this position, oldest first, at most {@code limit}. */
    Future<List<PositionedEvent>> eventsAfter(long position, int limit);

    /** Returns the position of the newest event; 0 if there is none. */
    Future<Long> lastPosition();

    /** Checks that the store can be read and, as far as known, written: after a failed write it tries another. */
    Future<Void> ready();

    /** Returns all data of a run; empty if unknown. Fails with {@link StoreException} if it is damaged. */
    Future<Optional<StoredRun>> load(String runId);

    /** Returns the row of a run as lists show it; empty if unknown. */
    Future<Optional<RunRow>> find(String runId);

    /**
     * Returns a run as it was after its event {@code sequence}, with its present row. Empty if the run is unknown or
     * has no such event. Fails with {@link StoreException} if it is damaged.
     */
    Future<Optional<StoredRun>> loadAt(String runId, long sequence);

    /**
     * Returns runs and the newest position at one instant. Of the newest ended runs it returns as many as fit into
     * {@link #LIST_BYTES}.
     *
     * @param position position of each run's sequence; runs without an event then are omitted. Absent: now
     */
    Future<RunsAt> runsAt(RunSelection selection, Optional<Long> position);

    /** Returns runs, newest first. A damaged run has the view <code>{"runId": ..., "damage": why}</code>. */
    Future<RunPage> list(RunQuery query);

    /** Returns the run that was created under this key. */
    Future<Optional<String>> runOfKey(String idempotencyKey);

    /** Stores a stop receipt of a run as JSON text. */
    Future<Void> addReceipt(String runId, String receipt);

    /**
     * Stores the complete state of a run after its event {@code sequence}, from which it can be loaded. Does nothing if
     * the run is unknown or has no such event.
     */
    Future<Void> addSnapshot(String runId, long sequence, String state);

    /**
     * Returns the stop receipts of a run, oldest first. A read ends after {@link #READ_BYTES}, with at least one
     * receipt; only an empty result means that there are no more.
     *
     * @param after id of the last receipt of the former read; 0 for the first
     */
    Future<List<StoredReceipt>> receipts(String runId, long after);

    /**
     * Removes an ended run with all its data except pending deliveries. Returns false if it is unknown or not ended.
     */
    Future<Boolean> delete(String runId);

    /**
     * Returns ended runs whose last event is older than {@code before}, oldest first, without the {@code keep} ended
     * runs that were created last. Damaged runs look as in {@link #list}.
     *
     * @param cursor {@link RunPage#nextCursor} of the former page; absent for the first
     * @param limit most runs of a page, which also ends after {@link #LIST_BYTES}
     */
    Future<RunPage> prunable(Instant before, int keep, Optional<String> cursor, int limit);

    /**
     * Imports all events and receipts of a run, or nothing. Fails as {@link #append} does, with
     * {@link StaleAppendException} if the run exists.
     */
    Future<Appended> restore(AppendEvents history, List<String> receipts);

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
     *
     * @param givenUp stored with it
     */
    Future<Void> tried(OutboxCursor after, Optional<GivenUp> givenUp);

    /** Returns deliveries of this run that were given up, oldest first. */
    Future<List<GivenUp>> givenUp(String runId);

    /**
     * Returns runs that other processes have removed and of which this process may have a folder, oldest removal first,
     * at most {@code limit}. Default: none.
     */
    default Future<List<RemovedRun>> removedByOthers(int limit) {
        return Future.succeededFuture(List.of());
    }

    /** Records that this process has no more files of these runs, or that they exist again. */
    default Future<Void> forgotten(List<String> runIds) {
        return Future.succeededFuture();
    }

    /**
     * Calls {@code changed} on any thread when other processes may have appended, until the result is run. Default:
     * empty, because there are no other processes.
     */
    default Optional<Runnable> watchOthers(Runnable changed) {
        return Optional.empty();
    }
}
