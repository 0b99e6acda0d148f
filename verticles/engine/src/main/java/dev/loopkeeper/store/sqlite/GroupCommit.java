package dev.loopkeeper.store.sqlite;

import dev.loopkeeper.store.StoreException;
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

    /** No turn will come any more. */
    void rejectAll(Throwable cause) {
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
        turnAsked.set(false);
        List<PendingWrite<?>> batch = new ArrayList<>();
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
        boolean more = true;
        while (more) {
            more = turn() || !waiting.isEmpty();
        }
        disconnect();
        closed = true;
    }

    private void commit(List<PendingWrite<?>> batch) {
        try {
            refuseMoved(file.database(), databaseIdentity);
            connect();
            refuseMoved(file.log(), logIdentity);
            together(batch);
            refuseMoved(file.database(), databaseIdentity);
            refuseMoved(file.log(), logIdentity);
            refused = false;
        } catch (StatementRefused one) {
            apart(batch, one);
        } catch (SQLException refused) {
            abandon(batch, file.trouble().of(refused));
        } catch (RuntimeException refused) {
            abandon(batch, refused);
        }
    }

    private void together(List<PendingWrite<?>> batch) throws SQLException, StatementRefused {
        probe.before(StoreProbe.Point.BEGIN);
        StoreFile.execute(connection, "BEGIN IMMEDIATE");
        try {
            writes.begin();
            for (PendingWrite<?> write : batch) {
                among(write);
            }
            writes.finish();
        } catch (SQLException refused) {
            throw new StatementRefused(file.trouble().of(refused));
        }
        probe.before(StoreProbe.Point.COMMIT);
        StoreFile.execute(connection, "COMMIT");
        probe.before(StoreProbe.Point.ANSWER);
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
        disconnect();
        logSuspect = true;
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
            writes = new SqliteWrites(opened, probe);
            if (logSuspect) {
                // Remains of a failed commit behind the end of the log would look like damage after a crash.
                StoreFile.execute(opened, "PRAGMA wal_checkpoint(TRUNCATE)");
                logSuspect = false;
            }
        } catch (SQLException refused) {
            opened.close();
            throw refused;
        }
        connection = opened;
        logIdentity = StoreFile.identity(file.log());
    }

    private void disconnect() {
        Connection closing = connection;
        connection = null;
        try {
            if (closing != null) {
                closing.close();
            }
        } catch (SQLException refused) {
            LOG.warn("{} was not closed cleanly: {}", file.database(), refused.getMessage());
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
