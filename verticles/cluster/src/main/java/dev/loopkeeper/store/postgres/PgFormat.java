package dev.loopkeeper.store.postgres;

import dev.loopkeeper.store.RowChecksum;
import dev.loopkeeper.store.sql.SharedTables;
import dev.loopkeeper.work.InOrder;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Creates and migrates the tables. One node at a time applies each step once, in order, and stores its checksum. A
 * database with unknown steps is refused, so a released step never changes.
 */
final class PgFormat {
    /** Schema of all tables. */
    static final String SCHEMA = "loopkeeper";

    /** Owner of a database that several nodes share, in place of a data folder's id. */
    static final String CLUSTER = "cluster";

    private static final String TEXT = " text COLLATE \"C\" NOT NULL";

    /** Release 0.1.0 has format 1; later steps migrate to later formats. */
    static final List<String> STEPS = List.of(runs() + nodes() + String.join(";", SharedTables.statements(TEXT)));

    /**
     * JSON is text because {@code jsonb} reorders members and refuses {@code \u0000}. Times are text because {@code
     * timestamptz} cuts nanoseconds. Collation "C" compares names as bytes in any locale. {@code runs.epoch} belongs to
     * the last append and to the row's checksum; {@code owner_epoch} belongs to the owner. An ended run keeps its owner
     * until another node continues it.
     */
    private static String runs() {
        String ended = " status IN ('completed', 'stopped', 'failed')";
        return "CREATE TABLE meta (key" + TEXT + " PRIMARY KEY, value text NOT NULL);"
                // One row: positions have no gaps and follow the commit order. The fill factor keeps row versions in
                // one page.
                + "CREATE TABLE feed (one integer PRIMARY KEY CHECK (one = 1), position bigint NOT NULL)"
                + " WITH (fillfactor = 10);"
                + "INSERT INTO feed VALUES (1, 0);"
                + "CREATE TABLE runs (run_id" + TEXT + " PRIMARY KEY, name text NOT NULL, status" + TEXT + ","
                + " created_at" + TEXT + ", updated_at" + TEXT + ", epoch bigint NOT NULL,"
                + " last_sequence bigint NOT NULL, view text NOT NULL, checksum bigint NOT NULL,"
                + " owner text COLLATE \"C\", owner_epoch bigint NOT NULL DEFAULT 1, placement text COLLATE \"C\");"
                + "CREATE INDEX runs_by_owner ON runs (owner) WHERE owner IS NOT NULL AND NOT" + ended + ";"
                + "CREATE INDEX runs_free ON runs (created_at, run_id) WHERE owner IS NULL AND NOT" + ended + ";"
                + "CREATE TABLE events (position bigint PRIMARY KEY, run_id" + TEXT + ", sequence bigint NOT NULL,"
                + " epoch bigint NOT NULL, at text NOT NULL, type" + TEXT + ", execution integer NOT NULL,"
                + " data text NOT NULL, checksum bigint NOT NULL, step_id text COLLATE \"C\", UNIQUE (run_id, sequence));"
                + "CREATE TABLE receipts (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, run_id" + TEXT + ","
                + " receipt text NOT NULL, checksum bigint NOT NULL);";
    }

    /**
     * {@code lease} is in milliseconds: after that silence no process of the node is alive. A request goes to a node
     * or to the owner of a run. {@code removals} lists removed runs whose files a node may still have; the node deletes
     * the row with its files. Writes under a duty check the node in the same row. The row of a signal file names the run
     * that took it last, before the run's event after {@code sequence}. The run may not exist yet.
     */
    private static String nodes() {
        return "CREATE TABLE nodes (node" + TEXT + " PRIMARY KEY, folder" + TEXT + ", incarnation bigint NOT NULL,"
                + " beat bigint NOT NULL, state" + TEXT + " CHECK (state IN ('live', 'fenced', 'left')),"
                + " beat_at timestamptz NOT NULL DEFAULT now(), url text NOT NULL,"
                + " version text NOT NULL, roots text[] NOT NULL, places integer NOT NULL,"
                + " lease bigint NOT NULL DEFAULT 300000 CHECK (lease BETWEEN 6000 AND 300000))"
                + " WITH (fillfactor = 50);"
                + "CREATE TABLE ownership (run_id" + TEXT + ", epoch bigint NOT NULL, node" + TEXT + ","
                + " incarnation bigint NOT NULL, since timestamptz NOT NULL DEFAULT now(),"
                + " PRIMARY KEY (run_id, epoch));"
                + "CREATE TABLE requests (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                + " run_id text COLLATE \"C\", node text COLLATE \"C\", action text NOT NULL, body text NOT NULL,"
                + " asked_by text NOT NULL, asked_at timestamptz NOT NULL DEFAULT now(), taken_epoch bigint,"
                + " taken_sequence bigint, answer text, answered_at timestamptz,"
                + " CHECK ((run_id IS NULL) <> (node IS NULL)));"
                + "CREATE INDEX requests_open ON requests (id) WHERE answer IS NULL;"
                + "CREATE TABLE duties (duty" + TEXT + " PRIMARY KEY, node text COLLATE \"C\","
                + " incarnation bigint NOT NULL DEFAULT 0);"
                + "CREATE TABLE removals (node" + TEXT + ", run_id" + TEXT + ", view text NOT NULL,"
                + " removed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (node, run_id));"
                + "CREATE TABLE signal_files (file" + TEXT + " PRIMARY KEY, run_id" + TEXT
                + ", sequence bigint NOT NULL,"
                + " node" + TEXT + ", incarnation bigint NOT NULL);"
                + "CREATE INDEX signal_files_by_run ON signal_files (run_id);";
    }

    /** Advisory lock number, chosen to be unlikely in other programs. */
    private static final long LOCK = 0x6c6f6f706b656570L;

    /** Value of {@code loopkeeper.standbys} for standbys that only serve reads or backups. */
    private static final String NEVER_PROMOTED = "never-promoted";

    private static final int VERSION_UNIT = 10_000;
    private static final int OLDEST_SERVER = 14 * VERSION_UNIT;

    private final List<String> steps;
    private final Optional<String> folder;

    /** @param folder id of the only data folder that may use the database, or {@link #CLUSTER}; absent: any may */
    PgFormat(List<String> steps, Optional<String> folder) {
        this.steps = steps;
        this.folder = folder;
    }

    /** Applies all missing steps or none. Refuses a newer database or one of another owner, and leaves it unchanged. */
    Future<Void> prepare(SqlConnection connection, PgFailures failures) {
        return PgStatements.transaction(
                connection,
                "BEGIN",
                () -> connection
                        .query(
                                "SET LOCAL statement_timeout = 60000; SET LOCAL client_min_messages = warning; SELECT pg_advisory_xact_lock("
                                        + LOCK + ")")
                        .execute()
                        .compose(alone -> facts(connection, failures))
                        .compose(sound -> applied(connection, failures))
                        .compose(applied -> apply(connection, applied))
                        .compose(current -> belong(connection, failures)));
    }

    private Future<Void> belong(SqlConnection connection, PgFailures failures) {
        if (folder.isEmpty()) {
            return Future.succeededFuture();
        }
        return connection
                .preparedQuery("INSERT INTO meta (key, value) VALUES ('data-folder', $1) ON CONFLICT (key) DO NOTHING")
                .execute(Tuple.of(folder.get()))
                .compose(kept -> PgStatements.first(
                        connection, "SELECT value FROM meta WHERE key = 'data-folder'", row -> row.getString(0)))
                .compose(owner -> owned(owner, failures));
    }

    private Future<Void> owned(Optional<String> owner, PgFailures failures) {
        return owner.equals(folder)
                ? Future.succeededFuture()
                : refuse(
                        failures,
                        owner.equals(Optional.of(CLUSTER))
                                ? "is shared by nodes. Start this process as one of them, or name another database."
                                : "is the store of another data folder, whose Loopkeeper executes its runs."
                                        + " Name that folder, or another database.");
    }

    /**
     * Returns the number of applied steps, 0 if there are no tables. Refuses as {@link #prepare} does; changes nothing.
     */
    Future<Integer> appliedSteps(SqlConnection connection, PgFailures failures) {
        return PgStatements.first(
                        connection,
                        "SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = '" + SCHEMA
                                + "' AND tablename = 'migrations')",
                        row -> row.getBoolean(0))
                .compose(made -> made.orElseThrow() ? kept(connection, failures) : Future.succeededFuture(0));
    }

    private Future<Integer> kept(SqlConnection connection, PgFailures failures) {
        return check(connection, failures)
                .compose(number -> PgStatements.first(
                                connection, "SELECT value FROM meta WHERE key = 'data-folder'", row -> row.getString(0))
                        .compose(owner -> owner.isEmpty() ? Future.succeededFuture() : owned(owner, failures))
                        .map(number));
    }

    private Future<Void> facts(SqlConnection connection, PgFailures failures) {
        return unfit(connection)
                .compose(reasons -> reasons.stream()
                        .findFirst()
                        .<Future<Void>>map(why -> refuse(failures, why))
                        .orElseGet(Future::succeededFuture));
    }

    /** Returns why the database may lose committed data or cannot store UTF-8. Each reason continues its name. */
    static Future<List<String>> unfit(SqlConnection connection) {
        String sql = "SELECT current_setting('server_encoding'), current_setting('server_version_num')::int,"
                + " pg_is_in_recovery(), current_setting('fsync'), current_setting('synchronous_commit'),"
                + " current_setting('synchronous_standby_names'),"
                // A user without the right to see standbys gets rows with a null state.
                + " (SELECT count(*) FROM pg_stat_replication WHERE coalesce(state, 'streaming') = 'streaming'),"
                + " coalesce(current_setting('loopkeeper.standbys', true), '')";
        return connection.query(sql).execute().map(rows -> unfit(rows.iterator().next()));
    }

    private static List<String> unfit(Row row) {
        List<String> reasons = new ArrayList<>();
        if (!row.getString(0).equals("UTF8")) {
            reasons.add("has the encoding " + row.getString(0) + ". Create one with ENCODING 'UTF8'.");
        }
        if (row.getInteger(1) < OLDEST_SERVER) {
            reasons.add("is served by PostgreSQL " + row.getInteger(1) / VERSION_UNIT + ". Use 14 or newer.");
        }
        if (row.getBoolean(2)) {
            reasons.add("is a standby, which is read-only. Name the primary server.");
        }
        if (row.getString(3).equals("off")) {
            reasons.add("has fsync = off and may lose committed data. Set fsync = on at the server.");
        }
        if (row.getString(4).equals("off")) {
            reasons.add("has synchronous_commit = off and may lose committed data. Set it to on at the"
                    + " server, or for this database or user: ALTER DATABASE ... SET synchronous_commit = on.");
        }
        boolean forgetful = row.getLong(6) > 0 && row.getString(5).isBlank();
        if (forgetful && !row.getString(7).equals(NEVER_PROMOTED)) {
            reasons.add("has an asynchronous standby, which may lack committed runs and owners after"
                    + " promotion. Set synchronous_standby_names at the server; or, for a standby that is never promoted:"
                    + " ALTER DATABASE ... SET loopkeeper.standbys = '" + NEVER_PROMOTED + "'.");
        }
        return reasons;
    }

    private static <T> Future<T> refuse(PgFailures failures, String what) {
        return Future.failedFuture(failures.refusal(what));
    }

    private Future<Integer> applied(SqlConnection connection, PgFailures failures) {
        String create = "CREATE SCHEMA IF NOT EXISTS " + SCHEMA + "; CREATE TABLE IF NOT EXISTS " + SCHEMA
                + ".migrations (number integer PRIMARY KEY, checksum bigint NOT NULL,"
                + " applied_at timestamptz NOT NULL DEFAULT now())";
        return connection.query(create).execute().compose(made -> check(connection, failures));
    }

    private Future<Integer> check(SqlConnection connection, PgFailures failures) {
        return connection
                .query("SELECT number, checksum FROM migrations ORDER BY number")
                .execute()
                .compose(rows -> check(rows, failures));
    }

    private Future<Integer> check(RowSet<Row> rows, PgFailures failures) {
        int number = 0;
        for (Row row : rows) {
            number++;
            if (number > steps.size()) {
                return refuse(
                        failures,
                        "has format " + rows.size() + ", this Loopkeeper knows " + steps.size()
                                + ". Use the Loopkeeper that wrote it, or a newer one; nothing was changed.");
            }
            if (row.getInteger(0) != number || row.getLong(1) != RowChecksum.of(steps.get(number - 1))) {
                return refuse(
                        failures,
                        "was written by a development version before 0.1.0, or by another program: step " + number
                                + " of its format is unknown. Name another database; nothing was changed.");
            }
        }
        return Future.succeededFuture(number);
    }

    private Future<Void> apply(SqlConnection connection, int applied) {
        List<Integer> missing =
                IntStream.rangeClosed(applied + 1, steps.size()).boxed().toList();
        return InOrder.each(missing, number -> apply(connection, number, steps.get(number - 1)));
    }

    private static Future<Void> apply(SqlConnection connection, int number, String statements) {
        return connection
                .query(statements)
                .execute()
                .compose(done -> connection
                        .preparedQuery("INSERT INTO migrations (number, checksum) VALUES ($1, $2)")
                        .execute(Tuple.of(number, RowChecksum.of(statements))))
                .mapEmpty();
    }
}
