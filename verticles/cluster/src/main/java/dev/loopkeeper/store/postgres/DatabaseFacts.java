package dev.loopkeeper.store.postgres;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Facts about a database that decide whether a node can use it.
 *
 * @param location {@code host:port/name}, without secrets
 * @param problems why the database may lose committed data; each continues a sentence that begins with the location
 */
public record DatabaseFacts(String location, List<String> problems, Server server, Tables tables, Clock clock) {
    /** Number of migrations that this version knows. */
    public static final int FORMAT = PgFormat.STEPS.size();

    /** Subtracts connections of other programs from each limit. Sessions that this user may not see belong to other programs. */
    private static final String SERVER =
            "WITH others AS (SELECT datname, usename FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                    + " AND coalesce(backend_type, 'client backend') = 'client backend'"
                    + " AND application_name IS DISTINCT FROM 'loopkeeper')"
                    + " SELECT current_setting('server_version'),"
                    + " has_database_privilege(current_database(), 'CREATE'),"
                    + " least(current_setting('max_connections')::int"
                    + " - current_setting('superuser_reserved_connections')::int"
                    + " - coalesce(current_setting('reserved_connections', true)::int, 0)"
                    + " - (SELECT count(*) FROM others),"
                    + " nullif(d.datconnlimit, -1) - (SELECT count(*) FROM others o WHERE o.datname = d.datname),"
                    + " nullif(r.rolconnlimit, -1) - (SELECT count(*) FROM others o WHERE o.usename = r.rolname))::int"
                    + " FROM pg_database d, pg_roles r"
                    + " WHERE d.datname = current_database() AND r.rolname = current_user";

    private static final String CLOCK = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";

    /**
     * The server, as it is for this user.
     *
     * @param version e.g. {@code 17.5}
     * @param mayCreate whether this user may create the tables
     * @param connections how many connections all nodes can have, after those of other programs
     */
    public record Server(String version, boolean mayCreate, int connections) {}

    /**
     * The format of the tables.
     *
     * @param format number of applied migrations; 0 if there are no tables
     * @param problem why this version cannot use the tables
     */
    public record Tables(int format, Optional<String> problem) {}

    /**
     * The database's clock.
     *
     * @param ahead its time minus that of this machine
     * @param roundTrip duration of the query; half of it is uncertain
     */
    public record Clock(Duration ahead, Duration roundTrip) {}

    /** Returns whether the database has the tables of nodes in a format that this version can use. */
    public boolean hasNodes() {
        return tables.format() > 0 && tables.problem().isEmpty();
    }

    /**
     * Reads the facts and changes nothing. Fails with {@link dev.loopkeeper.store.StoreException} if the database
     * refuses the connection, and with {@link dev.loopkeeper.store.StoreUnavailableException} if it does not answer.
     */
    public static Future<DatabaseFacts> inspect(Vertx vertx, PostgresOptions options) {
        Database database = Database.of(options);
        PgFailures failures = database.failures();
        PgSession session = database.session(vertx);
        PgFormat format = new PgFormat(PgFormat.STEPS, Optional.of(PgFormat.CLUSTER));
        return session.enqueue(PgFormat::unfit)
                .compose(problems -> session.enqueue(DatabaseFacts::server)
                        .compose(server -> session.enqueue(DatabaseFacts::clock)
                                .compose(clock -> reading(
                                                session, connection -> format.appliedSteps(connection, failures))
                                        .map(made -> new Tables(made, Optional.empty()))
                                        .otherwise(why -> new Tables(0, Optional.of(why.getMessage())))
                                        .map(tables -> new DatabaseFacts(
                                                failures.database(), problems, server, tables, clock)))))
                .recover(refused -> Future.failedFuture(PgFailures.atStart(refused)))
                .eventually(session::close);
    }

    private static <T> Future<T> reading(PgSession session, Function<SqlConnection, Future<T>> work) {
        return session.enqueue(connection ->
                PgStatements.transaction(connection, PgStatements.SNAPSHOT, () -> work.apply(connection)));
    }

    private static Future<Server> server(SqlConnection connection) {
        return PgStatements.first(
                        connection, SERVER, row -> new Server(row.getString(0), row.getBoolean(1), row.getInteger(2)))
                .map(Optional::orElseThrow);
    }

    private static Future<Clock> clock(SqlConnection connection) {
        long began = System.nanoTime();
        long here = System.currentTimeMillis();
        return connection.query(CLOCK).execute().map(rows -> {
            Duration roundTrip = Duration.ofNanos(System.nanoTime() - began);
            long there = rows.iterator().next().getLong(0);
            return new Clock(Duration.ofMillis(there - here - roundTrip.toMillis() / 2), roundTrip);
        });
    }
}
