package dev.loopkeeper.store.postgres;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.Duties;
import dev.loopkeeper.store.EventStore.RemovedRun;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.RowChecksum;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.store.sql.SqlEventStore;
import dev.loopkeeper.store.sql.StoreConnection;
import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlConnection;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * {@link dev.loopkeeper.store.EventStore} in a PostgreSQL database, with one connection for writes and one for reads.
 * While a connection is lost, each method fails with {@link dev.loopkeeper.store.StoreUnavailableException}. Several
 * processes may open one database.
 */
public final class PostgresEventStore extends SqlEventStore {
    private final Vertx vertx;

    /** Context of all work of the store, which therefore needs no locks. */
    private final HomeContext home;

    private final PgFailures failures;
    private final PgSession reading;
    private final PgSession writing;
    private final PgWriter writer;
    private final PgTail tail;
    private final Optional<NodeRegistration> registration;
    private final AtomicBoolean closed = new AtomicBoolean();

    private PostgresEventStore(
            Vertx vertx, PostgresOptions options, Optional<NodeRegistration> registration, AppendProbe probe) {
        Context context = vertx.getOrCreateContext();
        this.vertx = vertx;
        this.home = new HomeContext(context);
        Database database = Database.of(options);
        this.failures = database.failures();
        this.reading = database.forReads().session(vertx);
        this.writing = database.byIndex().session(vertx);
        this.writer = new PgWriter(context, writing, failures, registration, probe);
        this.tail = new PgTail(vertx);
        this.registration = registration;
        registration.ifPresent(own -> own.hints().watch(NodeHints.Kind.FEED, () -> home.run(tail::poll)));
    }

    /**
     * Opens the database for the process that owns this data folder, and creates or migrates its tables. Fails with
     * {@link StoreException}, and leaves the database unchanged, if it is unreachable, refuses the connection, has a
     * newer format, or belongs to another data folder.
     */
    public static Future<OpenStore> open(Vertx vertx, PostgresOptions options, Path dataFolder) {
        return vertx.executeBlocking(() -> FolderMark.of(dataFolder), false)
                .compose(mark -> open(vertx, options, new PgFormat(PgFormat.STEPS, Optional.of(mark))));
    }

    /**
     * Opens the database for a node, which appends only while it is live, to runs that it owns. Fails as {@link #open}
     * does, also if the database belongs to a data folder.
     */
    public static Future<OpenStore> openNode(Vertx vertx, PostgresOptions options, NodeRegistration registration) {
        PgFormat format = new PgFormat(PgFormat.STEPS, Optional.of(PgFormat.CLUSTER));
        return open(vertx, options, format, Optional.of(registration), AppendProbe.NONE);
    }

    static Future<OpenStore> open(Vertx vertx, PostgresOptions options, PgFormat format) {
        return open(vertx, options, format, Optional.empty(), AppendProbe.NONE);
    }

    static Future<OpenStore> open(
            Vertx vertx,
            PostgresOptions options,
            PgFormat format,
            Optional<NodeRegistration> registration,
            AppendProbe probe) {
        PostgresEventStore store = new PostgresEventStore(vertx, options, registration, probe);
        return store.home
                .ask(() -> store.writer.enqueue(connection -> format.prepare(connection, store.failures)))
                .compose(sound -> store.lastPosition())
                .<OpenStore>map(store)
                .recover(refused ->
                        store.close().transform(closing -> Future.failedFuture(PgFailures.atStart(refused))));
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
                ? vertx.executeBlocking(() -> PgAppend.Part.of(history, receipts), false)
                : Future.succeededFuture(PgAppend.Part.of(history, receipts));
        return part.compose(encoded -> asked(() -> writer.append(encoded)))
                .onSuccess(durable -> registration.ifPresent(own -> own.hints().send(NodeHints.Kind.FEED)));
    }

    /** Also checks that the database can be written, by an update without effect. */
    @Override
    public Future<Void> ready() {
        String sql = "UPDATE feed SET position = position WHERE one = 1";
        return lastPosition().compose(read -> change(sql));
    }

    @Override
    public Future<Void> addReceipt(String runId, String receipt) {
        String sql = "INSERT INTO receipts (run_id, receipt, checksum) VALUES ($1, $2, $3)";
        long checksum = RowChecksum.of(runId, receipt);
        return change(sql, runId, receipt, checksum);
    }

    @Override
    public Future<Void> addSnapshot(String runId, long sequence, String state) {
        String sql = "WITH d AS (DELETE FROM snapshots s WHERE s.run_id = $1"
                + " AND s.sequence < (SELECT max(sequence) FROM snapshots n WHERE n.run_id = $1))"
                + " INSERT INTO snapshots (run_id, sequence, state, checksum)"
                + " SELECT run_id, $2, $3, $4 FROM runs WHERE run_id = $1 AND last_sequence >= $2"
                + " ON CONFLICT (run_id, sequence) DO UPDATE SET state = excluded.state, checksum = excluded.checksum";
        long checksum = RowChecksum.of(runId, sequence, state);
        return change(sql, runId, sequence, state, checksum);
    }

    /** Keeps pending deliveries, so that the notifier can record that they are cancelled. */
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
                + " c AS (DELETE FROM requests x USING gone WHERE x.run_id = gone.run_id),"
                + " k AS (DELETE FROM idempotency_keys x USING gone WHERE x.run_id = gone.run_id),"
                + " f AS (DELETE FROM signal_files x USING gone WHERE x.run_id = gone.run_id),"
                + " o AS (DELETE FROM outbox x USING gone WHERE x.run_id = gone.run_id AND x.newest_pending <= x.sequence)"
                + " SELECT run_id FROM gone";
        String[] ended = PgStatements.texts(RunStatus.ENDED);
        return write(connection -> PgStatements.first(connection, sql, row -> true, runId, ended, node())
                .map(gone -> gone.orElse(false)));
    }

    private String node() {
        return registration.map(NodeRegistration::node).orElse("");
    }

    /** Returns runs that another node has removed and this node once owned. */
    @Override
    public Future<List<RemovedRun>> removedByOthers(int limit) {
        String sql = "SELECT run_id, view FROM removals WHERE node = $1 ORDER BY removed_at, run_id LIMIT $2";
        return asked(() ->
                reading.all(sql, row -> new RemovedRun(row.getString(0), shown(row.getString(1))), node(), limit));
    }

    /** Returns a missing node for damaged JSON, so that the run is listed all the same, without its repository. */
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
        return change(sql, node(), PgStatements.texts(runIds));
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
        return home.ask(() -> Future.join(writer.enqueue(last -> Future.succeededFuture()), reading.close())
                .transform(done -> writing.close()));
    }

    @Override
    protected <T> Future<T> alone(Function<StoreConnection, Future<T>> query) {
        return asked(() -> reading.enqueue(connection -> query.apply(new PgStoreConnection(connection, failures))));
    }

    @Override
    protected <T> Future<T> inSnapshot(Function<StoreConnection, Future<T>> queries) {
        return asked(() -> reading.enqueue(connection -> PgStatements.transaction(
                connection, PgStatements.SNAPSHOT, () -> queries.apply(new PgStoreConnection(connection, failures)))));
    }

    private <T> Future<T> write(Function<SqlConnection, Future<T>> statement) {
        return asked(() -> writer.enqueue(statement));
    }

    private Future<Void> change(String sql, Object... values) {
        return write(connection -> PgStatements.change(connection, sql, values)).mapEmpty();
    }

    @Override
    protected <T> Future<T> inWrite(Function<StoreConnection, Future<T>> changes) {
        return inTransaction(connection -> Future.succeededFuture(), changes);
    }

    private <T> Future<T> inTransaction(
            Function<SqlConnection, Future<Void>> guard, Function<StoreConnection, Future<T>> changes) {
        return write(connection -> PgStatements.transaction(
                connection,
                "BEGIN",
                () -> guard.apply(connection)
                        .compose(passed -> changes.apply(new PgStoreConnection(connection, failures)))));
    }

    @Override
    protected <T> Future<T> inNode(Function<StoreConnection, Future<T>> changes) {
        return inTransaction(
                connection -> registration
                        .map(own -> require(connection, NodeTable.LIVE, own.lost(), own.node(), own.incarnation()))
                        .orElseGet(Future::succeededFuture),
                changes);
    }

    private static Future<Void> require(
            SqlConnection connection, String sql, StoreUnavailableException otherwise, Object... values) {
        return PgStatements.first(connection, sql, row -> true, values)
                .compose(found -> found.isPresent() ? Future.succeededFuture() : Future.failedFuture(otherwise));
    }

    /** A fenced node has ended its agents; one that has left may have kept them. */
    @Override
    protected Future<List<String>> goneAmong(StoreConnection connection, Set<String> runIds) {
        String sql = "SELECT x FROM unnest(?::text[]) x WHERE NOT EXISTS (SELECT 1 FROM runs r"
                + " LEFT JOIN nodes n ON n.node = r.owner WHERE r.run_id = x AND r.status = ANY (?)"
                + " AND coalesce(n.state, '') <> 'fenced')";
        return runIds.isEmpty()
                ? Future.succeededFuture(List.of())
                : connection.all(
                        sql, row -> row.text(0), PgStatements.texts(runIds), PgStatements.texts(RunStatus.ACTIVE));
    }

    /** Locks the duty's row, so that no other node takes the duty before this transaction commits. */
    @Override
    protected <T> Future<T> inOutbox(Function<StoreConnection, Future<T>> changes) {
        String sql = "SELECT 1 FROM duties d JOIN nodes n ON n.node = d.node AND n.incarnation = d.incarnation"
                + " WHERE d.duty = $1 AND d.node = $2 AND d.incarnation = $3 AND n.state = 'live' FOR SHARE OF d";
        String duty = Duties.NOTIFICATIONS;
        return inTransaction(
                connection -> registration
                        .map(own ->
                                require(connection, sql, own.withoutDuty(duty), duty, own.node(), own.incarnation()))
                        .orElseGet(Future::succeededFuture),
                changes);
    }

    private <T> Future<T> asked(Supplier<Future<T>> work) {
        return closed.get() ? Future.failedFuture(failures.refusal("is closed")) : home.ask(work);
    }
}
