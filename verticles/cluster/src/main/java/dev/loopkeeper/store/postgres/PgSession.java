package dev.loopkeeper.store.postgres;

import dev.loopkeeper.store.StoreQueue;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.work.SingleFlight;
import dev.loopkeeper.work.TimeLimit;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One database connection, opened at first use and again after a loss. {@link #enqueue} executes one piece of work at a
 * time, in order. Used on one context.
 */
final class PgSession {
    private static final Logger LOG = LoggerFactory.getLogger(PgSession.class);
    /** After a failed attempt, callers get its failure for this long, without a new attempt. */
    private static final Duration FAILS_FOR = Duration.ofMillis(200);

    private final Vertx vertx;
    private final PgConnectOptions options;
    private final Duration patience;
    private final PgFailures failures;
    private Optional<PgConnection> connection = Optional.empty();
    /** The connection that is being opened; empty once it is lost. */
    private Optional<PgConnection> beginning = Optional.empty();

    private Optional<Backend> former = Optional.empty();
    private Optional<StoreUnavailableException> refused = Optional.empty();
    private long refusedAt;
    private long number;
    private final StoreQueue queue;
    private final SingleFlight<PgConnection> connects = new SingleFlight<>(this::connect);

    /** Server process of a connection. Its start time excludes another process with a reused pid. */
    private record Backend(int pid, String since) {}

    PgSession(Vertx vertx, PgConnectOptions options, Duration patience, PgFailures failures) {
        this.vertx = vertx;
        this.options = options;
        this.patience = patience;
        this.failures = failures;
        this.queue = queue();
    }

    /**
     * Creates another queue in front of this session. A hanging database costs the first caller a query timeout and a
     * connect timeout.
     */
    StoreQueue queue() {
        return new StoreQueue(vertx, failures.database(), patience.multipliedBy(2));
    }

    /** Executes work after all earlier work, see {@link StoreQueue}. Fails as {@link PgFailures#of} says. */
    <T> Future<T> enqueue(Function<SqlConnection, Future<T>> work) {
        return queue.ask(() -> sendNow(work));
    }

    /** Executes a query after all earlier work, and returns its rows. */
    <T> Future<List<T>> all(String sql, Function<Row, T> reader, Object... values) {
        return enqueue(open -> PgStatements.all(open, sql, reader, values));
    }

    /** Does the same, and returns the first row. */
    <T> Future<Optional<T>> first(String sql, Function<Row, T> reader, Object... values) {
        return enqueue(open -> PgStatements.first(open, sql, reader, values));
    }

    /** Executes a statement after all earlier work, and returns the number of changed rows. */
    Future<Integer> change(String sql, Object... values) {
        return enqueue(open -> PgStatements.change(open, sql, values));
    }

    /** Returns whether a connection is open, as far as this process knows. */
    boolean isConnected() {
        return connection.isPresent();
    }

    /**
     * Executes work at once, pipelined behind statements in flight. The caller ensures that no transaction is open. A
     * lost connection fails all statements in flight.
     */
    <T> Future<T> sendNow(Function<SqlConnection, Future<T>> work) {
        return connected()
                .compose(open -> TimeLimit.of(
                                vertx, Future.succeededFuture(open).compose(work), patience)
                        .recover(cause -> {
                            if (!(cause instanceof RuntimeException known) || isLost(known)) {
                                drop(open);
                            }
                            return Future.failedFuture(cause);
                        }))
                .recover(cause -> Future.failedFuture(failures.of(cause)));
    }

    /** Returns a number that rises with each opened connection. */
    long number() {
        return number;
    }

    /** Returns whether the connection is unusable; a statement that the server refused leaves it usable. */
    private boolean isLost(RuntimeException cause) {
        return cause instanceof PgException refused
                ? PgFailures.isUnavailable(refused)
                : failures.of(cause) instanceof StoreUnavailableException;
    }

    private void drop(PgConnection open) {
        connection = connection.filter(known -> !known.equals(open));
        beginning = beginning.filter(known -> !known.equals(open));
        open.close().onFailure(cause -> LOG.debug("a lost connection did not close: {}", cause.getMessage()));
    }

    private Future<PgConnection> connected() {
        if (connection.isPresent()) {
            return Future.succeededFuture(connection.get());
        }
        if (refused.isPresent() && System.nanoTime() - refusedAt < FAILS_FOR.toNanos()) {
            return Future.failedFuture(refused.get());
        }
        return connects.join();
    }

    private Future<PgConnection> connect() {
        Future<PgConnection> opening = PgConnection.connect(vertx, options);
        return TimeLimit.of(vertx, opening, patience)
                .onFailure(timeout -> opening.onSuccess(PgConnection::close))
                .compose(this::begin)
                .recover(cause -> {
                    StoreUnavailableException unavailable = failures.connecting(cause);
                    refused = Optional.of(unavailable);
                    refusedAt = System.nanoTime();
                    return Future.failedFuture(unavailable);
                });
    }

    /**
     * Ends the former connection on the server before this one is used, so that none of its statements is still
     * executing.
     */
    private Future<PgConnection> begin(PgConnection open) {
        beginning = Optional.of(open);
        open.closeHandler(closed -> drop(open));
        // Without a handler the client prints the exception to stderr. The caller's future reports its consequence.
        open.exceptionHandler(cause -> LOG.debug("a connection reports: {}", cause.getMessage()));
        Future<Backend> begun = endFormer(open).compose(ended -> backend(open));
        return TimeLimit.of(vertx, begun, patience)
                .onFailure(cause -> drop(open))
                .compose(own -> {
                    former = Optional.of(own);
                    if (beginning.isEmpty()) {
                        return Future.failedFuture(
                                new IllegalStateException("the connection was lost as soon as it was opened"));
                    }
                    number++;
                    connection = beginning;
                    refused = Optional.empty();
                    return Future.succeededFuture(open);
                });
    }

    private Future<?> endFormer(SqlConnection open) {
        if (former.isEmpty()) {
            return Future.succeededFuture();
        }
        String sql = "SELECT pg_terminate_backend(pid, 3000) FROM pg_stat_activity"
                + " WHERE pid = $1 AND backend_start::text = $2";
        Tuple values = Tuple.of(former.get().pid(), former.get().since());
        return open.preparedQuery(sql).execute(values).compose(ended -> {
            for (var row : ended) {
                if (!row.getBoolean(0)) {
                    return Future.failedFuture(failures.unavailable(
                            new IllegalStateException("the former connection is still open on the server")));
                }
            }
            return Future.succeededFuture();
        });
    }

    private static Future<Backend> backend(SqlConnection open) {
        String sql = "SELECT pid, backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()";
        return open.preparedQuery(sql).execute().map(rows -> {
            var row = rows.iterator().next();
            return new Backend(row.getInteger(0), row.getString(1));
        });
    }

    /** Closes the connection after all earlier work. */
    Future<Void> close() {
        return queue.ask(() -> Future.<Void>succeededFuture()).transform(drained -> {
            Optional<PgConnection> open = connection;
            connection = Optional.empty();
            return open.map(SqlConnection::close).orElseGet(Future::succeededFuture);
        });
    }
}
