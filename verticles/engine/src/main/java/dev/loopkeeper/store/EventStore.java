package dev.loopkeeper.store;

import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Port: the append-only truth. Every future completes on the caller's context. Only what is appended by a
 * {@link CheckpointWriter}, over the event bus, is published. A failed append wrote nothing (where its sync failed and the power fails next, or
 * with {@link StoreUnavailableException}, it may be found after all); one that succeeded survives {@code kill -9} and power
 * loss. Appends that wait at the same time share one sync.
 *
 * <p>Any question may fail with {@link StoreException} where the store cannot be read or written, and with
 * {@link StoreUnavailableException} where it does not answer soon or too many wait for it.
 *
 * <p>One read of events ends once it has {@link #READ_BYTES} of their data, so an answer may have fewer than its limit.
 * Only an empty answer says that there are no more; {@link EventPages} reads on until then.
 */
public interface EventStore {
    /** Bytes of data after which one read of events takes no further one; there is always one. */
    int READ_BYTES = 256 << 10;

    /** Bytes of run objects after which one page of a list takes no further one; there is always one. */
    int LIST_BYTES = 4 << 20;

    /**
     * Makes events durable. Fails with {@link StaleAppendException}, with {@link KeyTakenException} when another run
     * was created under the same key, or with {@link StoreException} on disk trouble.
     */
    Future<Appended> append(AppendEvents append);

    /** Events of one run after {@code since}, oldest first, at most {@code limit}; empty for an unknown run. */
    Future<List<PositionedEvent>> events(String runId, long since, int limit);

    /** Some events of one run; empty for an unknown one. */
    Future<List<PositionedEvent>> events(EventQuery query);

    /** Events of all runs after this position, oldest first, at most {@code limit}. */
    Future<List<PositionedEvent>> eventsAfter(long position, int limit);

    /** The position of the newest event; 0 when there is none. */
    Future<Long> lastPosition();

    /** Whether it can be read and, as far as is known, written: after a write that failed it tries another. */
    Future<Void> ready();

    /** Everything of one run; empty when unknown. Fails with {@link StoreException} when it is damaged. */
    Future<Optional<StoredRun>> load(String runId);

    /** What lists show of one run; empty when unknown. */
    Future<Optional<RunRow>> find(String runId);

    /**
     * One run as it stood after its event {@code sequence}; only the row is the present one. Empty when the run is
     * unknown or has no such event. Fails with {@link StoreException} when it is damaged.
     */
    Future<Optional<StoredRun>> loadAt(String runId, long sequence);

    /**
     * Runs and the newest position, both of one instant: no event lies between them.
     * Of the newest others as many as have {@link #LIST_BYTES} together.
     *
     * @param position what is asked is how far each run was at this position; one that had no event then is left out.
     *     Absent: now
     */
    Future<RunsAt> runsAt(RunSelection selection, Optional<Long> position);

    /** Runs, newest first. A damaged one is listed with the view <code>{"runId": ..., "damage": why}</code>. */
    Future<RunPage> list(RunQuery query);

    /** The run that was created under this key; empty when none was. */
    Future<Optional<String>> runOfKey(String idempotencyKey);

    /** Keeps one stop receipt, as JSON text, with its run. */
    Future<Void> addReceipt(String runId, String receipt);

    /**
     * Keeps the whole state of a run as it was after its event {@code sequence}, to load from instead of older events.
     * Nothing is kept of a run that is unknown or has no such event.
     */
    Future<Void> addSnapshot(String runId, long sequence, String state);

    /**
     * The stop receipts of one run, oldest first. One read ends once it has {@link #READ_BYTES}; there is always one, and
     * an empty answer says that there are no more.
     *
     * @param after id of the last receipt of the read before; 0 for the first
     */
    Future<List<StoredReceipt>> receipts(String runId, long after);

    /**
     * Removes an ended run and all that is kept of it but what its targets are still owed; false when it is unknown or
     * has not ended.
     */
    Future<Boolean> delete(String runId);

    /**
     * Ended runs whose last event is older than {@code before}, but never one of the {@code keep} ended runs that were
     * created last; oldest first. A damaged one is shown as in {@link #list}.
     *
     * @param cursor {@link RunPage#nextCursor} of the page before; absent for the first
     * @param limit most runs of a page, which ends at {@link #LIST_BYTES} too
     */
    Future<RunPage> prunable(Instant before, int keep, Optional<String> cursor, int limit);

    /**
     * Puts in a run that another store had: all its events and receipts, or nothing. Fails as {@link #append} does,
     * with {@link StaleAppendException} where the run is known already.
     */
    Future<Appended> restore(AppendEvents history, List<String> receipts);

    /** What targets of notifications are owed; empty until {@link #beginOutbox} was called once. */
    Future<Optional<OutboxState>> outbox();

    /** The outbox begins with this, unless it has begun already: then nothing changes. */
    Future<Void> beginOutbox(OutboxState start);

    /**
     * Every event up to this position was looked at, and these are owed: {@link OutboxCursor#owed} is raised, a target
     * that is new begins with the cursor given. Doing it again changes nothing. Answers their cursors as they are now.
     */
    Future<List<OutboxCursor>> owe(long position, List<OutboxCursor> owed);

    /**
     * What a try has led to: the target's cursor and tries become these, never going back; what is owed stays. Of a run
     * that is not kept any more the target is forgotten.
     *
     * @param givenUp recorded with it
     */
    Future<Void> tried(OutboxCursor after, Optional<GivenUp> givenUp);

    /** Deliveries of this run that were given up, oldest first. */
    Future<List<GivenUp>> givenUp(String runId);

    /**
     * Runs that others than this process have removed and of which it may keep a folder, the longest removed first, at
     * most {@code limit}. None, the default: nobody else removes any.
     */
    default Future<List<RemovedRun>> removedByOthers(int limit) {
        return Future.succeededFuture(List.of());
    }

    /** Of these runs this process keeps nothing more, or they are there again. */
    default Future<Void> forgotten(List<String> runIds) {
        return Future.succeededFuture();
    }

    /**
     * Calls {@code changed} on any thread whenever others than this process may have appended, and now and then without
     * need, until the answer is run. Empty, the default: nobody else can append.
     */
    default Optional<Runnable> watchOthers(Runnable changed) {
        return Optional.empty();
    }
}
