package dev.loopkeeper.store.sqlite;

import dev.loopkeeper.data.LockedFiles;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoreQueue;
import dev.loopkeeper.store.sql.EncodedAppend;
import dev.loopkeeper.store.sql.SqlEventStore;
import dev.loopkeeper.store.sql.StoreConnection;
import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.sqlite.SQLiteJDBCLoader;

/**
 * The embedded {@link dev.loopkeeper.store.EventStore}: one SQLite file, a writer thread and a reader thread. Other
 * processes may read at the same time with {@link #openReadOnly}; only the owner of the data folder may write.
 */
public final class SqliteEventStore extends SqlEventStore {
    private static final String THREADS = "loopkeeper-store-";

    private final Vertx vertx;
    private final StoreFile file;
    private final WorkerExecutor writer;
    private final WorkerExecutor reader;
    /** Context of {@link #reads}. */
    private final HomeContext home;

    private final StoreQueue reads;
    private final Optional<GroupCommit> commits;
    private final AtomicBoolean closed = new AtomicBoolean();
    private Connection readConnection;

    private SqliteEventStore(Vertx vertx, StoreFile file, Optional<GroupCommit> commits) {
        this.vertx = vertx;
        this.file = file;
        this.commits = commits;
        this.writer = vertx.createSharedWorkerExecutor(THREADS + "writer", 1);
        this.home = new HomeContext(vertx.getOrCreateContext());
        this.reads = new StoreQueue(vertx, file.database().toString());
        this.reader = vertx.createSharedWorkerExecutor(THREADS + "reader", 1);
        LockedFiles.hold(file.folder());
    }

    /**
     * Opens or creates the store of a data folder that this process owns. Fails with {@link StoreException}, and leaves
     * the file unchanged, if it is damaged, missing although there are runs, or of a newer format.
     */
    public static Future<OpenStore> open(Vertx vertx, Path dataFolder) {
        return open(vertx, dataFolder, SqliteOptions.DEFAULTS, StoreProbe.NONE);
    }

    static Future<OpenStore> open(Vertx vertx, Path dataFolder, SqliteOptions options, StoreProbe probe) {
        StoreFile file = StoreFile.in(dataFolder);
        GroupCommit commits = new GroupCommit(file, options, probe);
        SqliteEventStore store = new SqliteEventStore(vertx, file, Optional.of(commits));
        Future<Void> opened = store.writer.executeBlocking(() -> {
            new StoreFormat(file).prepare(options.checkAtOpen());
            commits.open();
            return null;
        });
        // The read connection keeps the log's index alive when the writer reconnects after a failed commit.
        return store.started(opened.compose(ready -> store.lastPosition()));
    }

    /**
     * Opens a store for reading durable data, also while another process owns the folder. Writes fail. Fails with
     * {@link StoreException} if there is no intact store.
     */
    public static Future<OpenStore> openReadOnly(Vertx vertx, Path dataFolder) {
        return vertx.executeBlocking(() -> SealedFolder.readable(StoreFile.in(dataFolder)), false)
                .compose(file -> openReadOnly(vertx, file));
    }

    static Future<OpenStore> openReadOnly(Vertx vertx, StoreFile file) {
        SqliteEventStore store = new SqliteEventStore(vertx, file, Optional.empty());
        return store.started(store.reader.executeBlocking(() -> {
            new StoreFormat(file).checkForReading();
            return store;
        }));
    }

    /** Loads SQLite and returns its version. Blocks; fails with {@link StoreException} if it cannot be loaded. */
    public static String version() {
        try {
            SQLiteJDBCLoader.initialize();
            return SQLiteJDBCLoader.getVersion();
        } catch (Exception refused) {
            throw new StoreException("SQLite cannot be loaded: " + refused.getMessage(), refused);
        }
    }

    @Override
    public Future<Appended> append(AppendEvents append) {
        return prepared(append.isLarge(), () -> EncodedAppend.of(append))
                .compose(rows -> writing(writes -> writes.append(rows)));
    }

    @Override
    public Future<Void> ready() {
        return lastPosition()
                .compose(read -> commits.filter(GroupCommit::refused).isPresent()
                        ? writing(SqliteWrites::touch)
                        : Future.succeededFuture());
    }

    @Override
    public Future<Void> addReceipt(String runId, String receipt) {
        return writing(writes -> writes.addReceipt(runId, receipt));
    }

    @Override
    public Future<Void> addSnapshot(String runId, long sequence, String state) {
        return prepared(true, () -> EncodedAppend.Snapshot.of(runId, sequence, state))
                .compose(snapshot -> writing(writes -> writes.addSnapshot(snapshot)));
    }

    @Override
    public Future<Boolean> delete(String runId) {
        return writing(writes -> writes.removeIfEnded(runId));
    }

    @Override
    public Future<Appended> restore(AppendEvents history, List<String> receipts) {
        return prepared(history.isLarge(), () -> EncodedAppend.of(history))
                .compose(rows -> writing(writes -> {
                    Appended appended = writes.append(rows);
                    for (String receipt : receipts) {
                        writes.addReceipt(history.runId(), receipt);
                    }
                    return appended;
                }));
    }

    @Override
    public Future<Void> close() {
        if (!closed.compareAndSet(false, true)) {
            return Future.succeededFuture();
        }
        // The writer last: only the last connection that may write removes the log.
        return inPoolOf(reader, this::closeReads)
                .eventually(() -> inPoolOf(writer, this::closeWrites))
                .onComplete(done -> LockedFiles.release(file.folder()))
                .eventually(() -> Future.join(reader.close(), writer.close()))
                .mapEmpty();
    }

    private Future<Void> inPoolOf(WorkerExecutor pool, Callable<Void> work) {
        try {
            return pool.executeBlocking(work, false);
        } catch (RejectedExecutionException closedWithVertx) {
            return vertx.executeBlocking(work, false);
        }
    }

    private Future<OpenStore> started(Future<?> opened) {
        return opened.<OpenStore>map(this)
                .recover(refused -> close().transform(closing -> Future.failedFuture(refused)));
    }

    /** Builds the rows of a write, on a worker if they are large. If that fails, nothing is written. */
    private <T> Future<T> prepared(boolean large, Supplier<T> making) {
        Future<T> made = large
                ? vertx.executeBlocking(making::get, false)
                : Future.succeededFuture().map(here -> making.get());
        return made.recover(broken -> Future.failedFuture(file.failures().of(broken)));
    }

    /** Queues a write. The first write schedules a turn, which takes all writes that wait by then. */
    private <T> Future<T> writing(PendingWrite.Work<T> work) {
        if (closed.get()) {
            return Future.failedFuture(closedAlready());
        }
        if (commits.isEmpty()) {
            return Future.failedFuture(readOnly());
        }
        PendingWrite<T> write = new PendingWrite<>(work, vertx.getOrCreateContext());
        if (commits.get().add(write)) {
            // Schedules the turn in a later task, so that callers answered together write together again.
            elseRejectAll(() -> write.caller().runOnContext(added -> {
                if (!closed.get()) { // close() commits all waiting writes
                    schedule(commits.get());
                }
            }));
        }
        return write.future();
    }

    private void schedule(GroupCommit commits) {
        elseRejectAll(() -> writer.executeBlocking(commits::turn, false)
                .onComplete(
                        more -> {
                            if (more) {
                                schedule(commits);
                            }
                        },
                        this::rejectAll));
    }

    /** If a turn cannot be scheduled, all later writes would wait forever. */
    private void elseRejectAll(Runnable asking) {
        try {
            asking.run();
        } catch (RuntimeException | Error broken) {
            rejectAll(broken);
        }
    }

    private void rejectAll(Throwable cause) {
        Throwable reason = cause instanceof Error ? file.failures().of(cause) : cause;
        commits.ifPresent(waiting -> waiting.rejectAll(reason));
    }

    @Override
    protected <T> Future<T> inSnapshot(Function<StoreConnection, Future<T>> queries) {
        if (closed.get()) {
            return Future.failedFuture(closedAlready());
        }
        return home.ask(() -> reads.ask(() -> reader.executeBlocking(() -> answer(queries), false)));
    }

    @Override
    protected <T> Future<T> inWrite(Function<StoreConnection, Future<T>> changes) {
        return writing(writes -> SqliteConnection.result(changes.apply(writes.connection())));
    }

    @Override
    protected Future<List<String>> goneAmong(StoreConnection connection, Set<String> runIds) {
        String sql = "SELECT value FROM json_each(?) WHERE value NOT IN (SELECT run_id FROM runs WHERE status IN ("
                + "SELECT value FROM json_each(?)))";
        return connection.all(
                sql,
                row -> row.text(0),
                Json.MAPPER.valueToTree(runIds).toString(),
                Json.MAPPER.valueToTree(RunStatus.ACTIVE).toString());
    }

    /** Uses one transaction, so that all statements see the same state. */
    private synchronized <T> T answer(Function<StoreConnection, Future<T>> queries) {
        if (closed.get()) { // closed while the request waited
            throw closedAlready();
        }
        try {
            if (readConnection == null) {
                readConnection = file.openForReading();
            }
            StoreFile.execute(readConnection, "BEGIN");
            try {
                return SqliteConnection.result(queries.apply(new SqliteConnection(readConnection, file.failures())));
            } finally {
                StoreFile.execute(readConnection, "ROLLBACK");
            }
        } catch (SQLException refused) {
            closeReads();
            throw file.failures().of(refused);
        }
    }

    private synchronized Void closeReads() {
        Connection closing = readConnection;
        readConnection = null;
        try {
            if (closing != null) {
                closing.close();
            }
        } catch (SQLException refused) {
            throw file.failures().of(refused);
        }
        return null;
    }

    private Void closeWrites() {
        commits.ifPresent(GroupCommit::close);
        file.discardCopy();
        return null;
    }

    private StoreException closedAlready() {
        return new StoreException(file.database() + " is closed", null);
    }

    private StoreException readOnly() {
        String message = file.database() + " was opened for reading only. Send writes to the server that owns it.";
        return new StoreException(message, null);
    }
}
