package dev.loopkeeper.store;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.RunChannels.RunQuery;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.view.RunOutline;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
public interface EventStore extends Outbox, PolicyStore, PoolStore, UsageStore, FireStore {
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
    default Future<List<PositionedEvent>> events(String runId, long since, int limit) {
        return events(EventQuery.oldest(runId, Set.of(), since, limit));
    }

    /** Returns the selected events; empty for an unknown run. */
    Future<List<PositionedEvent>> events(EventQuery query);

    /** Returns events of all runs after this position, oldest first, at most {@code limit}. */
    Future<List<PositionedEvent>> eventsAfter(long position, int limit);

    /** Returns the ids of runs that ended after this position, also of runs that were resumed since. */
    Future<Set<String>> endedAfter(long position);

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

    /**
     * Selects runs at one instant: the named ones, or those with some statuses and the newest of the others.
     *
     * @param runIds only these; empty: use the other two
     * @param statuses wire names; all runs with one of them
     * @param newest number of other runs, those created last; 0 or more
     */
    record RunSelection(Set<String> runIds, Set<String> statuses, int newest) {
        /** Fails for a negative number. */
        public RunSelection {
            if (newest < 0) {
                throw new IllegalArgumentException("newest must be 0 or more, was " + newest);
            }
        }
    }

    /**
     * Runs and the newest event over all runs at one instant.
     *
     * @param lastPosition of the newest event; 0 if there is none
     * @param runs newest first
     */
    record RunsAt(long lastPosition, List<RunAt> runs) {
        /**
         * A run at the requested position.
         *
         * @param row the run as it is now
         * @param sequence its newest event up to the position, 1 or more; 0 for a damaged run
         * @param current whether it has no later event, so that the row is the run as it was then
         */
        public record RunAt(RunRow row, long sequence, boolean current) {}
    }

    /** Returns runs, newest first. A damaged run has the view <code>{"runId": ..., "damage": why}</code>. */
    Future<RunPage> list(RunQuery query);

    /**
     * A page of runs, newest first.
     *
     * @param nextCursor opaque; absent at the end
     */
    record RunPage(List<RunRow> runs, Optional<String> nextCursor) {
        /** Returns the outlines of runs whose record is not damaged. */
        public List<RunOutline> outlines() {
            return runs.stream().flatMap(run -> run.outline().stream()).toList();
        }
    }

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
     * A stop receipt of a run.
     *
     * @param id rises with each receipt of the store
     * @param json the receipt, e.g. {@code {"outcome": "gone", ...}}
     */
    record StoredReceipt(long id, String json) {}

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

    /**
     * Returns runs that other processes have removed and of which this process may have a folder, oldest removal first,
     * at most {@code limit}. Default: none.
     */
    default Future<List<RemovedRun>> removedByOthers(int limit) {
        return Future.succeededFuture(List.of());
    }

    /**
     * A run that another process has removed from the store, and of which this process may have files.
     *
     * @param view its last {@link RunRow#view}
     */
    record RemovedRun(String runId, JsonNode view) {}

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
