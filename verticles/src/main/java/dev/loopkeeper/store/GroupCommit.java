package dev.loopkeeper.store;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets writes that wait at the same time share one transaction and so one sync. Each stands in a savepoint of its own:
 * one that is refused takes nothing with it. Answers are given after the commit, in its order. Any thread may add,
 * one at a time takes turns.
 */
final class GroupCommit {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

    private final StoreFile file;
    private final SqliteOptions options;
    private final StoreProbe probe;
    private final Queue<PendingWrite<?>> waiting = new ConcurrentLinkedQueue<>();
    private Connection connection;
    private SqliteWrites writes;
    private boolean logSuspect;
    private boolean closed;
    private Object databaseIdentity;
    private Object logIdentity;

    GroupCommit(StoreFile file, SqliteOptions options, StoreProbe probe) {
        this.file = file;
        this.options = options;
        this.probe = probe;
    }

    void add(PendingWrite<?> write) {
        waiting.add(write);
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

    /** Commits those who wait, up to the largest batch; often there is nobody, since an earlier turn took all. */
    void turn() {
        List<PendingWrite<?>> batch = new ArrayList<>();
        while (batch.size() < options.maxBatch() && !waiting.isEmpty()) {
            batch.add(waiting.remove());
        }
        if (!batch.isEmpty()) {
            try {
                commit(batch);
            } finally {
                batch.forEach(PendingWrite::deliver);
            }
        }
    }

    /** Ends everybody who still waits, then lets go of the file. */
    void close() {
        while (!waiting.isEmpty()) {
            turn();
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
            for (PendingWrite<?> write : batch) {
                inSavepoint(write);
            }
        } catch (SQLException refused) {
            throw new StatementRefused(refused);
        }
        probe.before(StoreProbe.Point.COMMIT);
        StoreFile.execute(connection, "COMMIT");
    }

    private void inSavepoint(PendingWrite<?> write) throws SQLException {
        StoreFile.execute(connection, "SAVEPOINT one");
        try {
            write.run(writes);
        } catch (RuntimeException refused) {
            write.fail(refused);
            StoreFile.execute(connection, "ROLLBACK TO one");
        }
        StoreFile.execute(connection, "RELEASE one");
    }

    /** The disk refused one of them, which ended the transaction of all: each has its own now, so the others succeed. */
    private void apart(List<PendingWrite<?>> batch, StatementRefused refused) {
        if (batch.size() == 1) {
            abandon(batch, file.trouble().of(refused.reason));
            return;
        }
        rollBack();
        for (PendingWrite<?> write : batch) {
            commit(List.of(write));
        }
    }

    private void abandon(List<PendingWrite<?>> batch, RuntimeException cause) {
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
            throw new StoreException(file.database(), file.database() + " is closed", null);
        }
        if (connection != null) {
            return;
        }
        Connection opened = file.openForWriting(options.busyTimeout(), false);
        try {
            probe.opened(opened);
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
        writes = new SqliteWrites(opened, probe);
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
            throw new StoreException(path, message, null);
        }
    }

    /** A statement inside the batch failed, as opposed to its beginning or its commit. */
    private static final class StatementRefused extends Exception {
        private final transient SQLException reason;

        private StatementRefused(SQLException reason) {
            super(reason);
            this.reason = reason;
        }
    }
}
