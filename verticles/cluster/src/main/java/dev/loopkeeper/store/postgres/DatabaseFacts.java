package dev.loopkeeper.store.postgres;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A database as a node would find it.
 *
 * @param place as people know it, without secrets: {@code host:port/name}
 * @param server e.g. {@code PostgreSQL 17.5}
 * @param unfit why it cannot keep what it has acknowledged; empty: it can. Each goes on after the place
 * @param format how many steps of its tables are made; 0: none yet
 * @param misfit why its tables are not for this Loopkeeper
 * @param mayMake whether this user may make the tables, where there are none
 * @param room how many connections nodes may have together, beside those that others have now
 * @param ahead by how much its clock is before this machine's; below zero: behind
 * @param asked how long the question for that took, of which half is uncertain
 */
public record DatabaseFacts(
        String place,
        String server,
        List<String> unfit,
        int format,
        Optional<String> misfit,
        boolean mayMake,
        int room,
        Duration ahead,
        Duration asked) {
    /** How many steps the tables of this Loopkeeper have. */
    public static final int FORMAT = PgFormat.STEPS.size();

    /** What others leave of each limit; those that may not be looked at count as others. */
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

    private record Server(String version, boolean mayMake, int room) {}

    private record Clock(Duration ahead, Duration asked) {}

    /** Whether it has tables in which nodes are, and they are for this Loopkeeper. */
    public boolean hasNodes() {
        return format > 0 && misfit.isEmpty();
    }

    /**
     * Looks, and changes nothing. Fails with {@link dev.loopkeeper.store.StoreException} where the database refuses us,
     * and with {@link dev.loopkeeper.store.StoreAwayException} where it does not answer.
     */
    public static Future<DatabaseFacts> look(Vertx vertx, PostgresOptions options) {
        PgConnectOptions connect = PostgresEventStore.connect(options);
        PgTrouble trouble = PostgresEventStore.trouble(connect);
        PgSession session = new PgSession(vertx, connect, options.patience(), trouble);
        PgFormat format = new PgFormat(PgFormat.STEPS, Optional.of(PgFormat.CLUSTER));
        String place = connect.getHost() + ":" + connect.getPort() + "/" + connect.getDatabase();
        return session.during(PgFormat::unfit)
                .compose(unfit -> session.during(DatabaseFacts::server)
                        .compose(server -> session.during(DatabaseFacts::clock)
                                .compose(clock -> reading(session, connection -> format.look(connection, trouble))
                                        .map(made -> new Standing(made, Optional.empty()))
                                        .otherwise(why -> new Standing(0, Optional.of(why.getMessage())))
                                        .map(standing -> new DatabaseFacts(
                                                place,
                                                "PostgreSQL " + server.version(),
                                                unfit,
                                                standing.format(),
                                                standing.misfit(),
                                                server.mayMake(),
                                                server.room(),
                                                clock.ahead(),
                                                clock.asked())))))
                .recover(refused -> Future.failedFuture(PgTrouble.atStart(refused)))
                .eventually(session::close);
    }

    private record Standing(int format, Optional<String> misfit) {}

    private static <T> Future<T> reading(PgSession session, Function<SqlConnection, Future<T>> work) {
        return session.during(connection ->
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
            Duration asked = Duration.ofNanos(System.nanoTime() - began);
            long there = rows.iterator().next().getLong(0);
            return new Clock(Duration.ofMillis(there - here - asked.toMillis() / 2), asked);
        });
    }
}
