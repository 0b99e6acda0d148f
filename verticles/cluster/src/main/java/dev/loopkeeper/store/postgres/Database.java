package dev.loopkeeper.store.postgres;

import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * How sessions connect to a database.
 *
 * @param patience limits each query
 * @param failures translates the failures of its sessions
 */
record Database(PgConnectOptions connect, Duration patience, PgFailures failures) {
    private static final String IDLE_IN_TRANSACTION = "idle_in_transaction_session_timeout";

    private static final String IDLE_WRITER_MILLIS = "2000";

    /** A busy process may need seconds for each piece of a long history before it reads the next one. */
    private static final String IDLE_READER_MILLIS = "60000";

    /** The client's default of 2,048 characters would prepare the append statement again each time. */
    private static final int LONGEST_STATEMENT = 16_384;

    static Database of(PostgresOptions options) {
        PgConnectOptions connect = PgConnectOptions.fromUri(
                        URI.create(options.url()).toString())
                .setCachePreparedStatements(true)
                .setPreparedStatementCacheSqlLimit(LONGEST_STATEMENT)
                .addProperty("application_name", "loopkeeper")
                .addProperty("search_path", PgFormat.SCHEMA)
                .addProperty(
                        "statement_timeout",
                        Long.toString(options.statementLimit().toMillis()))
                .addProperty(IDLE_IN_TRANSACTION, IDLE_WRITER_MILLIS);
        options.password().ifPresent(connect::setPassword);
        options.tls().ifPresent(tls -> tls.on(connect));
        String name = connect.getHost() + ":" + connect.getPort() + "/" + connect.getDatabase();
        return new Database(connect, options.patience(), new PgFailures(name, trust(connect)));
    }

    /** Returns the verifier of the server's certificate; empty without TLS. */
    private static Optional<StoreTrust> trust(PgConnectOptions connect) {
        return Optional.ofNullable(connect.getSslOptions())
                .map(tls -> tls.getTrustOptions())
                .filter(StoreTrust.class::isInstance)
                .map(StoreTrust.class::cast);
    }

    /**
     * Disables sequential scans for writes, which name their few rows. Otherwise a plan cached while a table was small
     * would scan the complete table for each append.
     */
    Database byIndex() {
        PgConnectOptions indexed = new PgConnectOptions(connect)
                .addProperty("enable_seqscan", "off")
                .addProperty("jit", "off");
        return new Database(indexed, patience, failures);
    }

    /** Allows longer pauses in a transaction, which holds no lock that others wait for. */
    Database forReads() {
        PgConnectOptions patient = new PgConnectOptions(connect).addProperty(IDLE_IN_TRANSACTION, IDLE_READER_MILLIS);
        return new Database(patient, patience, failures);
    }

    /** Returns a session that connects at first use. */
    PgSession session(Vertx vertx) {
        return new PgSession(vertx, connect, patience, failures);
    }
}
