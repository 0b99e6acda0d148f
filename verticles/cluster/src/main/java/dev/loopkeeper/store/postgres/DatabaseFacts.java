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
 * @param server e.g. {@code PostgreSQL 17.5}
 * @param problems why the database may lose committed data; each continues a sentence that begins with the location
 * @param format number of applied migrations of its tables; 0 if it has no tables
 * @param formatProblem why this version cannot use its tables
 * @param mayCreate whether this user may create the tables
 * @param connections how many connections all nodes can have, after those of other programs
 * @param ahead the database's clock minus this machine's clock
 * @param roundTrip duration of the clock query; half of it is uncertain
 */
public record DatabaseFacts(
        String location,
        String server,
        List<String> problems,
        int format,
        Optional<String> formatProblem,
        boolean mayCreate,
        int connections,
        Duration ahead,
        Duration roundTrip) {
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

    private record Server(String version, boolean mayCreate, int connections) {}

    private record Clock(Duration ahead, Duration roundTrip) {}

    /** Returns whether the database has the tables of nodes in a format that this version can use. */
    public boolean hasNodes() {
        return format > 0 && formatProblem.isEmpty();
    }

    /**
     * Reads the facts and changes nothing. Fails with {@link dev.loopkeeper.store.StoreException} if the database
     * refuses the connection, and with {@link dev.loopkeeper.store.StoreUnavailableException} if it does not answer.
     */
    public static Future<DatabaseFacts> inspect(Vertx vertx, PostgresOptions options) {
        Database database = Database.of(options);
        PgFailures failures = database.failures();
        PgSession session = database.session(vertx);
        PgFormat tables = new PgFormat(PgFormat.STEPS, Optional.of(PgFormat.CLUSTER));
        return session.enqueue(PgFormat::unfit)
                .compose(problems -> session.enqueue(DatabaseFacts::server)
                        .compose(server -> session.enqueue(DatabaseFacts::clock)
                                .compose(clock -> reading(
                                                session, connection -> tables.appliedSteps(connection, failures))
                                        .map(made -> new FormatCheck(made, Optional.empty()))
                                        .otherwise(why -> new FormatCheck(0, Optional.of(why.getMessage())))
                                        .map(format -> new DatabaseFacts(
                                                failures.database(),
                                                "PostgreSQL " + server.version(),
                                                problems,
                                                format.steps(),
                                                format.problem(),
                                                server.mayCreate(),
                                                server.connections(),
                                                clock.ahead(),
                                                clock.roundTrip())))))
                .recover(refused -> Future.failedFuture(PgFailures.atStart(refused)))
                .eventually(session::close);
    }

    private record FormatCheck(int steps, Optional<String> problem) {}

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
