package dev.loopkeeper.store.postgres;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.AppendEvents;
import dev.loopkeeper.store.Appended;
import dev.loopkeeper.store.Duties;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.RemovedRun;
import dev.loopkeeper.store.RowChecksum;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.sql.SqlEventStore;
import dev.loopkeeper.store.sql.StoreConnection;
import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.SqlConnection;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The {@link dev.loopkeeper.store.EventStore} in a PostgreSQL database, one connection for what is written and one for
 * what is read. Both are made anew after they were lost; until then every question fails with
 * {@link dev.loopkeeper.store.StoreAwayException}. Several may have one database open.
 */
public final class PostgresEventStore extends SqlEventStore {
    private static final String IDLE_IN_TRANSACTION_MILLIS = "2000";

    /** By itself the client prepares a statement of more than 2,048 characters anew each time. */
    private static final int LONGEST_STATEMENT = 16_384;

    /** Everything of the store happens here, so it needs no locks. */
    private final Vertx vertx;

    private final HomeContext home;

    private final PgTrouble trouble;
    private final PgSession reading;
    private final PgSession writing;
    private final PgWriter writer;
    private final PgTail tail;
    private final Optional<NodeSeat> seat;
    private final AtomicBoolean closed = new AtomicBoolean();

    private PostgresEventStore(Vertx vertx, PostgresOptions options, Optional<NodeSeat> seat, AppendProbe probe) {
        Context context = vertx.getOrCreateContext();
        this.vertx = vertx;
        this.home = new HomeContext(context);
        PgConnectOptions connect = connect(options);
        this.trouble = trouble(connect);
        this.reading = new PgSession(vertx, connect, options.patience(), trouble);
        this.writing = new PgSession(vertx, byIndex(connect), options.patience(), trouble);
        this.writer = new PgWriter(context, writing, trouble, seat, probe);
        this.tail = new PgTail(vertx, reading, writing);
        this.seat = seat;
        seat.ifPresent(own -> own.hints().watch(NodeHints.Kind.FEED, () -> home.run(tail::look)));
    }

    /**
     * Opens the database for the process that owns this data folder, making or migrating its tables where need be. Fails
     * with {@link StoreException}, and leaves the database as it is, when it cannot be reached, refuses us, is of a newer
     * format, or is that of another data folder: as yet one Loopkeeper carries out all its runs.
     */
    public static Future<OpenStore> open(Vertx vertx, PostgresOptions options, Path dataFolder) {
        return vertx.executeBlocking(() -> FolderMark.of(dataFolder), false)
                .compose(mark -> open(vertx, options, new PgFormat(PgFormat.STEPS, Optional.of(mark))));
    }

    /**
     * Opens the database for one of its nodes: it appends as long as it is live, to runs that it owns. Fails as
     * {@link #open} does, also where the database is that of one data folder.
     */
    public static Future<OpenStore> openNode(Vertx vertx, PostgresOptions options, NodeSeat seat) {
        PgFormat format = new PgFormat(PgFormat.STEPS, Optional.of(PgFormat.CLUSTER));
        return open(vertx, options, format, Optional.of(seat), AppendProbe.NONE);
    }

    /** Which data folder this is; a copy is another. Blocks; fails with {@link StoreException}. */
    public static String folderMark(Path dataFolder) {
        return FolderMark.inPlace(dataFolder);
    }

    /** The same of a folder that was marked before; makes nothing. Blocks; fails with {@link StoreException}. */
    public static Optional<String> knownFolderMark(Path dataFolder) {
        return FolderMark.known(dataFolder);
    }

    static Future<OpenStore> open(Vertx vertx, PostgresOptions options, PgFormat format) {
        return open(vertx, options, format, Optional.empty(), AppendProbe.NONE);
    }

    static Future<OpenStore> open(
            Vertx vertx, PostgresOptions options, PgFormat format, Optional<NodeSeat> seat, AppendProbe probe) {
        PostgresEventStore store = new PostgresEventStore(vertx, options, seat, probe);
        return store.home
                .ask(() -> store.writer.during(connection -> format.prepare(connection, store.trouble)))
                .compose(sound -> store.lastPosition())
                .<OpenStore>map(store)
                .recover(
                        refused -> store.close().transform(closing -> Future.failedFuture(PgTrouble.atStart(refused))));
    }

    static PgTrouble trouble(PgConnectOptions connect) {
        return new PgTrouble(connect.getHost() + ":" + connect.getPort() + "/" + connect.getDatabase(), trust(connect));
    }

    /** Who judges the certificate of the server; empty where it shows none. */
    static Optional<StoreTrust> trust(PgConnectOptions connect) {
        return Optional.ofNullable(connect.getSslOptions())
                .map(tls -> tls.getTrustOptions())
                .filter(StoreTrust.class::isInstance)
                .map(StoreTrust.class::cast);
    }

    static PgConnectOptions connect(PostgresOptions options) {
        PgConnectOptions connect = PgConnectOptions.fromUri(
                        URI.create(options.url()).toString())
                .setCachePreparedStatements(true)
                .setPreparedStatementCacheSqlLimit(LONGEST_STATEMENT)
                .addProperty("application_name", "loopkeeper")
                .addProperty("search_path", PgFormat.SCHEMA)
                .addProperty(
                        "statement_timeout",
                        Long.toString(options.statementLimit().toMillis()))
                .addProperty("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION_MILLIS);
        options.password().ifPresent(connect::setPassword);
        options.tls().ifPresent(tls -> tls.on(connect));
        return connect;
    }

    /**
     * The same for writes, which are to a few rows that they name. Their plans are kept: one that was made while a table
     * was small, or nobody had counted it yet, would read it whole for each append, with all that is not cleared away.
     */
    private static PgConnectOptions byIndex(PgConnectOptions connect) {
        return new PgConnectOptions(connect)
                .addProperty("enable_seqscan", "off")
                .addProperty("jit", "off");
    }

    @Override
    public Future<Appended> append(AppendEvents append) {
        return restore(append, List.of());
    }

    @Override
    public Future<Appended> restore(AppendEvents history, List<String> receipts) {
        if (history.idempotencyKey().isPresent() && history.expectedSequence() > 0) {
            return Future.failedFuture(new IllegalArgumentException("only what creates a run may have a key"));
        }
        Future<PgAppend.Part> part = history.isLarge()
                ? vertx.executeBlocking(() -> new PgAppend.Part(history, receipts), false)
                : Future.succeededFuture(new PgAppend.Part(history, receipts));
        return part.compose(encoded -> asked(() -> writer.append(encoded)))
                .onSuccess(durable -> seat.ifPresent(own -> own.hints().tell(NodeHints.Kind.FEED)));
    }

    /** Also that it can be written, which costs a commit of nothing. */
    @Override
    public Future<Void> ready() {
        String sql = "UPDATE feed SET position = position WHERE one = 1";
        return lastPosition()
                .compose(read ->
                        write(connection -> PgStatements.change(connection, sql).mapEmpty()));
    }

    @Override
    public Future<Void> addReceipt(String runId, String receipt) {
        String sql = "INSERT INTO receipts (run_id, receipt, checksum) VALUES ($1, $2, $3)";
        long checksum = RowChecksum.of(runId, receipt);
        return write(connection ->
                PgStatements.change(connection, sql, runId, receipt, checksum).mapEmpty());
    }

    @Override
    public Future<Void> addSnapshot(String runId, long sequence, String state) {
        String sql = "WITH d AS (DELETE FROM snapshots s WHERE s.run_id = $1"
                + " AND s.sequence < (SELECT max(sequence) FROM snapshots n WHERE n.run_id = $1))"
                + " INSERT INTO snapshots (run_id, sequence, state, checksum)"
                + " SELECT run_id, $2, $3, $4 FROM runs WHERE run_id = $1 AND last_sequence >= $2"
                + " ON CONFLICT (run_id, sequence) DO UPDATE SET state = excluded.state, checksum = excluded.checksum";
        long checksum = RowChecksum.of(runId, sequence, state);
        return write(connection -> PgStatements.change(connection, sql, runId, sequence, state, checksum)
                .mapEmpty());
    }

    /** What is still owed stays, so that whoever delivers can say that it will not come. */
    @Override
    public Future<Boolean> delete(String runId) {
        String sql = "WITH gone AS (DELETE FROM runs WHERE run_id = $1 AND status = ANY($2) RETURNING run_id, view),"
                + " others AS (INSERT INTO removals (node, run_id, view)"
                + " SELECT DISTINCT o.node, gone.run_id, gone.view FROM gone JOIN ownership o ON o.run_id = gone.run_id"
                + " WHERE o.node <> $3 ON CONFLICT (node, run_id) DO UPDATE SET view = excluded.view),"
                + " e AS (DELETE FROM events x USING gone WHERE x.run_id = gone.run_id),"
                + " s AS (DELETE FROM snapshots x USING gone WHERE x.run_id = gone.run_id),"
                + " q AS (DELETE FROM receipts x USING gone WHERE x.run_id = gone.run_id),"
                + " w AS (DELETE FROM ownership x USING gone WHERE x.run_id = gone.run_id),"
                + " c AS (DELETE FROM commands x USING gone WHERE x.run_id = gone.run_id),"
                + " k AS (DELETE FROM idempotency_keys x USING gone WHERE x.run_id = gone.run_id),"
                + " o AS (DELETE FROM outbox x USING gone WHERE x.run_id = gone.run_id AND x.owed <= x.sequence),"
                + " g AS (DELETE FROM outbox_given_up x USING gone WHERE x.run_id = gone.run_id)"
                + " SELECT run_id FROM gone";
        String[] ended = PgStatements.texts(RunStatus.ENDED);
        return write(connection -> PgStatements.first(connection, sql, row -> true, runId, ended, node())
                .map(gone -> gone.orElse(false)));
    }

    private String node() {
        return seat.map(NodeSeat::node).orElse("");
    }

    /** Those that other nodes have removed, while this one once carried them out. */
    @Override
    public Future<List<RemovedRun>> removedByOthers(int limit) {
        String sql = "SELECT run_id, view FROM removals WHERE node = $1 ORDER BY removed_at, run_id LIMIT $2";
        return asked(() -> reading.during(connection -> PgStatements.all(
                connection, sql, row -> new RemovedRun(row.getString(0), shown(row.getString(1))), node(), limit)));
    }

    /** What cannot be read any more hides no run: only its repository is not told then. */
    private static JsonNode shown(String view) {
        try {
            return Json.MAPPER.readTree(view);
        } catch (JsonProcessingException damaged) {
            return MissingNode.getInstance();
        }
    }

    @Override
    public Future<Void> forgotten(List<String> runIds) {
        String sql = "DELETE FROM removals WHERE node = $1 AND run_id = ANY($2)";
        return write(connection -> PgStatements.change(connection, sql, node(), PgStatements.texts(runIds))
                .mapEmpty());
    }

    @Override
    public Optional<Runnable> watchOthers(Runnable changed) {
        home.run(() -> tail.begin(changed));
        return Optional.of(() -> home.run(tail::end));
    }

    @Override
    public Future<Void> close() {
        if (!closed.compareAndSet(false, true)) {
            return Future.succeededFuture();
        }
        home.run(tail::end);
        return home.ask(() -> Future.join(writer.during(last -> Future.succeededFuture()), reading.close())
                .transform(done -> writing.close()));
    }

    @Override
    protected <T> Future<T> alone(Function<StoreConnection, Future<T>> query) {
        return asked(() -> reading.during(connection -> query.apply(new PgStoreConnection(connection, trouble))));
    }

    @Override
    protected <T> Future<T> inSnapshot(Function<StoreConnection, Future<T>> queries) {
        return asked(() -> reading.during(connection -> PgStatements.transaction(
                connection, PgStatements.SNAPSHOT, () -> queries.apply(new PgStoreConnection(connection, trouble)))));
    }

    private <T> Future<T> write(Function<SqlConnection, Future<T>> statement) {
        return asked(() -> writer.during(statement));
    }

    /** By the node that has the duty, which no other node can take before this has committed. */
    @Override
    protected <T> Future<T> inOutbox(Function<StoreConnection, Future<T>> changes) {
        return write(connection -> PgStatements.transaction(
                connection,
                "BEGIN",
                () -> requireDuty(connection)
                        .compose(ours -> changes.apply(new PgStoreConnection(connection, trouble)))));
    }

    private Future<Void> requireDuty(SqlConnection connection) {
        if (seat.isEmpty()) {
            return Future.succeededFuture();
        }
        String sql = "SELECT 1 FROM duties d JOIN nodes n ON n.node = d.node AND n.incarnation = d.incarnation"
                + " WHERE d.duty = $1 AND d.node = $2 AND d.incarnation = $3 AND n.state = 'live' FOR SHARE OF d";
        NodeSeat own = seat.get();
        return PgStatements.first(connection, sql, row -> true, Duties.NOTIFICATIONS, own.node(), own.incarnation())
                .compose(held -> held.isPresent()
                        ? Future.succeededFuture()
                        : Future.failedFuture(own.withoutDuty(Duties.NOTIFICATIONS)));
    }

    private <T> Future<T> asked(Supplier<Future<T>> work) {
        return closed.get() ? Future.failedFuture(trouble.refusal("is closed")) : home.ask(work);
    }
}
