package dev.loopkeeper.store.sqlite;

import dev.loopkeeper.data.FileId;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoreUnavailableException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits writes that wait at the same time in one transaction, with one sync. Each write succeeds or fails alone.
 * Answers follow the commit, in order for callers on one event loop. Any thread may add writes; one thread at a time
 * calls {@link #turn}.
 */
final class GroupCommit {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

    private final StoreFile file;
    private final SqliteOptions options;
    private final StoreProbe probe;
    private final Queue<PendingWrite<?>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private Connection connection;
    private SqliteWrites writes;
    private boolean logSuspect;
    private volatile boolean refused;
    private boolean closed;
    private Optional<FileId> databaseIdentity = Optional.empty();
    private Optional<FileId> logIdentity = Optional.empty();

    GroupCommit(StoreFile file, SqliteOptions options, StoreProbe probe) {
        this.file = file;
        this.options = options;
        this.probe = probe;
    }

    /** Returns whether the caller must schedule a turn; otherwise one is already scheduled. */
    boolean add(PendingWrite<?> write) {
        waiting.add(write);
        return schedule();
    }

    /** Returns whether the last commit failed. Any thread. */
    boolean refused() {
        return refused;
    }

    /** Fails all waiting writes after a turn could not be scheduled. */
    void rejectAll(Throwable cause) {
        // Reset first: a write that still finds it set was added before and is rejected here.
        scheduled.set(false);
        for (PendingWrite<?> write = waiting.poll(); write != null; write = waiting.poll()) {
            write.reject(cause);
        }
    }

    /** Opens the file for writing. */
    void open() {
        try {
            connect();
            databaseIdentity = FileId.of(file.database());
        } catch (SQLException refused) {
            throw file.failures().of(refused);
        }
    }

    /** Commits waiting writes, up to the largest batch. Returns whether to schedule another turn. */
    synchronized boolean turn() {
        // Allocate before taking writes out of the queue: nothing may fail between that and their answers.
        List<PendingWrite<?>> batch = new ArrayList<>(options.maxBatch());
        scheduled.set(false);
        while (batch.size() < options.maxBatch() && !waiting.isEmpty()) {
            batch.add(waiting.remove());
        }
        if (!batch.isEmpty()) {
            try {
                commit(batch);
            } finally {
                PendingWrite.deliver(batch);
            }
        }
        return !waiting.isEmpty() && schedule();
    }

    private boolean schedule() {
        return scheduled.compareAndSet(false, true);
    }

    /** Commits all waiting writes, then closes the file. */
    synchronized void close() {
        try {
            boolean more = true;
            while (more) {
                more = turn() || !waiting.isEmpty();
            }
        } finally {
            boolean open = connection != null;
            disconnect();
            if (open) {
                file.noteClosed();
            }
            closed = true;
            rejectAll(new StoreException(file.database() + " is closed", null));
        }
    }

    private void commit(List<PendingWrite<?>> batch) {
        try {
            refuseMoved(file.database(), databaseIdentity);
            connect();
            refuseMoved(file.log(), logIdentity);
            writeAll(batch);
        } catch (StatementRefused one) {
            commitEach(batch, one);
            return;
        } catch (Throwable cause) { // also an Error: uncommitted writes must not be answered as durable
            abandon(batch, file.failures().of(cause));
            return;
        }
        commitAll(batch);
    }

    private void writeAll(List<PendingWrite<?>> batch) throws SQLException, StatementRefused {
        probe.before(StoreProbe.Point.BEGIN);
        StoreFile.execute(connection, "BEGIN IMMEDIATE");
        try {
            writes.begin();
            for (PendingWrite<?> write : batch) {
                apply(write);
            }
        } catch (SQLException | Error refused) {
            throw new StatementRefused(file.failures().of(refused));
        }
    }

    private void commitAll(List<PendingWrite<?>> batch) {
        batch.forEach(PendingWrite::mayBeDurable);
        try {
            probe.before(StoreProbe.Point.COMMIT);
            StoreFile.execute(connection, "COMMIT");
            probe.before(StoreProbe.Point.ANSWER);
            refuseMoved(file.database(), databaseIdentity);
            refuseMoved(file.log(), logIdentity);
        } catch (Throwable cause) {
            resolveCommit(batch, cause);
            return;
        }
        batch.forEach(PendingWrite::durable);
        refused = false;
    }

    /** After a failed commit, checks over another connection whether the batch is in the file. */
    private void resolveCommit(List<PendingWrite<?>> batch, Throwable cause) {
        refused = true;
        long before = writes.numbersBefore();
        long after = writes.numbersAfter();
        rollBack();
        try {
            refuseMoved(file.database(), databaseIdentity);
            long seen = numbersInFile();
            if (seen == before && before != after) {
                RuntimeException reason = file.failures().of(cause);
                batch.forEach(write -> write.fail(reason));
                return;
            }
            if (seen == after && before != after) {
                // Also syncs the log.
                connect();
                batch.forEach(PendingWrite::durable);
                return;
            }
            failUnknown(batch, cause);
        } catch (Throwable unseen) {
            LOG.warn(
                    "{}: cannot determine whether a failed commit is in the file: {}",
                    file.database(),
                    unseen.toString());
            failUnknown(batch, cause);
        }
    }

    private long numbersInFile() throws SQLException {
        try (Connection other = file.openForReading()) {
            return SqliteConnection.result(new SqliteConnection(other, file.failures())
                            .first(SqliteWrites.NUMBERS_GIVEN, row -> row.number(0)))
                    .orElse(0L);
        }
    }

    private void failUnknown(List<PendingWrite<?>> batch, Throwable cause) {
        StoreUnavailableException unknown = file.failures().unknown(cause);
        batch.forEach(write -> write.fail(unknown));
    }

    /** A stale write is refused before its first change, so it requires no savepoint. */
    private void apply(PendingWrite<?> write) throws SQLException, StatementRefused {
        long changes = writes.changes();
        try {
            write.run(writes);
        } catch (RuntimeException refused) {
            if (writes.changes() != changes) {
                throw new StatementRefused(refused);
            }
            write.fail(refused);
        }
    }

    /** A write failed after a change, which spoils the transaction: commits each write of the batch alone. */
    private void commitEach(List<PendingWrite<?>> batch, StatementRefused refused) {
        if (batch.size() == 1) {
            abandon(batch, refused.reason);
            return;
        }
        rollBack();
        for (PendingWrite<?> write : batch) {
            commit(List.of(write));
        }
    }

    private void abandon(List<PendingWrite<?>> batch, RuntimeException cause) {
        refused = true;
        batch.forEach(write -> write.fail(cause));
        rollBack();
    }

    /** Closes the connection instead of reusing it after a failed transaction. */
    private void rollBack() {
        logSuspect = true;
        disconnect();
    }

    private void connect() throws SQLException {
        if (closed) {
            throw new StoreException(file.database() + " is closed", null);
        }
        if (connection != null) {
            return;
        }
        Connection opened = file.openForWriting(options.busyTimeout(), false);
        try {
            probe.opened(opened);
            writes = new SqliteWrites(opened, file.failures(), probe);
            if (logSuspect) {
                // After a crash, remains of a failed commit at the end of the log would look like damage.
                StoreFile.execute(opened, "PRAGMA wal_checkpoint(TRUNCATE)");
                logSuspect = false;
            }
            logIdentity = FileId.of(file.log());
        } catch (SQLException | RuntimeException | Error refused) {
            opened.close();
            throw refused;
        }
        connection = opened;
    }

    private void disconnect() {
        Connection closing = connection;
        connection = null;
        try {
            if (closing != null) {
                closing.close();
            }
        } catch (SQLException | RuntimeException | Error refused) {
            LOG.warn("{} was not closed cleanly: {}", file.database(), refused.toString());
        }
    }

    /** A deleted or replaced file still accepts writes, which would be lost. */
    private static void refuseMoved(Path path, Optional<FileId> identity) {
        if (!identity.equals(FileId.of(path))) {
            String message = path + " was deleted or replaced while Loopkeeper runs; no more events are written. "
                    + "Stop Loopkeeper, restore the file, and start Loopkeeper again.";
            throw new StoreException(message, null);
        }
    }

    /** A statement of a batch failed, as opposed to its BEGIN or COMMIT. */
    private static final class StatementRefused extends Exception {
        private final RuntimeException reason;

        private StatementRefused(RuntimeException reason) {
            super(reason);
            this.reason = reason;
        }
    }
}
