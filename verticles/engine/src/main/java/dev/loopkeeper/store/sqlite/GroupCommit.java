package dev.loopkeeper.store.sqlite;

import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoreUnavailableException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets writes that wait at the same time share one transaction and so one sync. Each is all or none of its own: one that
 * is refused takes nothing with it. Answers are given after the commit, in its order to those of one event loop. Any thread may add,
 * one at a time takes turns.
 */
final class GroupCommit {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

    private final StoreFile file;
    private final SqliteOptions options;
    private final StoreProbe probe;
    private final Queue<PendingWrite<?>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean turnAsked = new AtomicBoolean();
    private Connection connection;
    private SqliteWrites writes;
    private boolean logSuspect;
    private volatile boolean refused;
    private boolean closed;
    private Object databaseIdentity;
    private Object logIdentity;

    GroupCommit(StoreFile file, SqliteOptions options, StoreProbe probe) {
        this.file = file;
        this.options = options;
        this.probe = probe;
    }

    /** Answers whether a turn must be asked for; else one is coming that will take this write. */
    boolean add(PendingWrite<?> write) {
        waiting.add(write);
        return askForTurn();
    }

    /** Whether the last commit failed. Any thread. */
    boolean refused() {
        return refused;
    }

    /** No turn comes for those that wait; the next write asks for one again. */
    void rejectAll(Throwable cause) {
        // First: a write that finds it set was added before, and is rejected here.
        turnAsked.set(false);
        for (PendingWrite<?> write = waiting.poll(); write != null; write = waiting.poll()) {
            write.reject(cause);
        }
    }

    /** Opens the file that is to be written from now on. */
    void open() {
        try {
            connect();
            databaseIdentity = StoreFile.identity(file.database());
        } catch (SQLException refused) {
            throw file.trouble().of(refused);
        }
    }

    /** Commits those who wait, up to the largest batch. Answers whether another turn must be asked for. */
    synchronized boolean turn() {
        // Before any write is taken out of the queue: nothing may fail between that and its answer.
        List<PendingWrite<?>> batch = new ArrayList<>(options.maxBatch());
        turnAsked.set(false);
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
        return !waiting.isEmpty() && askForTurn();
    }

    private boolean askForTurn() {
        return turnAsked.compareAndSet(false, true);
    }

    /** Ends everybody who still waits, then lets go of the file. */
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
            apart(batch, one);
            return;
        } catch (Throwable cause) { // an Error as well: what is not committed must not be answered as durable
            abandon(batch, file.trouble().of(cause));
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
                among(write);
            }
            writes.finish();
        } catch (SQLException | Error refused) {
            throw new StatementRefused(file.trouble().of(refused));
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
            settle(batch, cause);
            return;
        }
        batch.forEach(PendingWrite::durable);
        refused = false;
    }

    /** The commit, or what follows it, has failed: another connection sees whether the batch is in the file. */
    private void settle(List<PendingWrite<?>> batch, Throwable cause) {
        refused = true;
        long before = writes.numbersBefore();
        long after = writes.numbersAfter();
        rollBack();
        try {
            refuseMoved(file.database(), databaseIdentity);
            long seen = numbersInFile();
            if (seen == before && before != after) {
                RuntimeException reason = file.trouble().of(cause);
                batch.forEach(write -> write.fail(reason));
                return;
            }
            if (seen == after && before != after) {
                // Also syncs what is in the log.
                connect();
                batch.forEach(PendingWrite::durable);
                return;
            }
            failUnknown(batch, cause);
        } catch (Throwable unseen) {
            LOG.warn(
                    "{}: whether a failed commit is in the file cannot be seen: {}",
                    file.database(),
                    unseen.toString());
            failUnknown(batch, cause);
        }
    }

    private long numbersInFile() throws SQLException {
        try (Connection look = file.openForReading()) {
            return SqliteConnection.result(new SqliteConnection(look, file.trouble())
                            .first(SqliteWrites.NUMBERS_GIVEN, row -> row.number(0)))
                    .orElse(0L);
        }
    }

    private void failUnknown(List<PendingWrite<?>> batch, Throwable cause) {
        StoreUnavailableException unknown = file.trouble().unknown(cause);
        batch.forEach(write -> write.fail(unknown));
    }

    /** A stale write is refused before its first change, so there is nothing to take back and no savepoint to pay for. */
    private void among(PendingWrite<?> write) throws SQLException, StatementRefused {
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

    /** One failed half-way, which ends the transaction of all: each has its own now, so the others succeed. */
    private void apart(List<PendingWrite<?>> batch, StatementRefused refused) {
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

    /** A connection whose transaction would not end cleanly is not used again. */
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
            writes = new SqliteWrites(opened, file.trouble(), probe);
            if (logSuspect) {
                // Remains of a failed commit behind the end of the log would look like damage after a crash.
                StoreFile.execute(opened, "PRAGMA wal_checkpoint(TRUNCATE)");
                logSuspect = false;
            }
            logIdentity = StoreFile.identity(file.log());
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

    /** A file that was deleted or replaced still takes writes, but nobody will ever find them. */
    private static void refuseMoved(Path path, Object identity) {
        if (!Objects.equals(identity, StoreFile.identity(path))) {
            String message = path + " was deleted or replaced while Loopkeeper runs; nothing is written any more. "
                    + "Stop Loopkeeper, put the file back, start it again.";
            throw new StoreException(message, null);
        }
    }

    /** A statement inside the batch failed, as opposed to its beginning or its commit. */
    private static final class StatementRefused extends Exception {
        private final RuntimeException reason;

        private StatementRefused(RuntimeException reason) {
            super(reason);
            this.reason = reason;
        }
    }
}
