package dev.loopkeeper.store.postgres;

import dev.loopkeeper.store.StoreAwayException;
import dev.loopkeeper.store.StoreQueue;
import dev.loopkeeper.work.SingleFlight;
import dev.loopkeeper.work.TimeLimit;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.pgclient.PgNotification;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection, made when it is needed and made anew after it was lost. One piece of work at a time, in the order in
 * which it is asked for, unless it is asked for {@link #beside} what is under way. On one context.
 */
final class PgSession {
    private static final Logger LOG = LoggerFactory.getLogger(PgSession.class);
    /** Those who waited together for a connection fail together. */
    private static final Duration FAILS_FOR = Duration.ofMillis(200);

    private final Vertx vertx;
    private final PgConnectOptions options;
    private final Duration patience;
    private final PgTrouble trouble;
    private Optional<PgConnection> connection = Optional.empty();
    /** The one that is being made, until it is lost. */
    private Optional<PgConnection> beginning = Optional.empty();

    private Optional<Backend> former = Optional.empty();
    private Optional<StoreAwayException> refused = Optional.empty();
    private long refusedAt;
    private long number;
    private final StoreQueue queue;
    private Optional<Subscription> subscription = Optional.empty();
    private final SingleFlight<PgConnection> connects = new SingleFlight<>(this::connect);

    /** What each connection hears of, as a hint: what is told while there is none is lost. */
    private record Subscription(String channel, Handler<PgNotification> heard) {}

    /** The server's process for a connection: a process id alone may be another's by now. */
    private record Backend(int pid, String since) {}

    PgSession(Vertx vertx, PgConnectOptions options, Duration patience, PgTrouble trouble) {
        this.vertx = vertx;
        this.options = options;
        this.patience = patience;
        this.trouble = trouble;
        this.queue = queue();
    }

    /** One more in front of this session. A database that hangs costs the first question its patience, then a connection. */
    StoreQueue queue() {
        return new StoreQueue(vertx, trouble.database(), patience.multipliedBy(2));
    }

    /** Hears of this channel over each connection that is made from now on. */
    void hear(String channel, Handler<PgNotification> heard) {
        subscription = Optional.of(new Subscription(channel, heard));
    }

    /** Whether the present connection is the server's process of this number. */
    boolean isProcess(int pid) {
        return former.filter(own -> own.pid() == pid).isPresent();
    }

    /** Does this when all that was asked for before is done, see {@link StoreQueue}. Fails as {@link PgTrouble#of} says. */
    <T> Future<T> during(Function<SqlConnection, Future<T>> work) {
        return queue.ask(() -> now(work));
    }

    /** Whether there is a connection, as far as is known. */
    boolean isConnected() {
        return connection.isPresent();
    }

    /**
     * Does this at once, behind what is on the wire; whoever asks sees to it that nothing is under way that must not be
     * disturbed. A connection that is lost fails all that is under way.
     */
    <T> Future<T> beside(Function<SqlConnection, Future<T>> work) {
        return now(work);
    }

    /** Rises with each connection that was made. */
    long number() {
        return number;
    }

    private <T> Future<T> now(Function<SqlConnection, Future<T>> work) {
        return connected()
                .compose(open -> TimeLimit.of(
                                vertx, Future.succeededFuture(open).compose(work), patience)
                        .recover(cause -> {
                            if (!(cause instanceof RuntimeException known) || isLost(known)) {
                                drop(open);
                            }
                            return Future.failedFuture(cause);
                        }))
                .recover(cause -> Future.failedFuture(trouble.of(cause)));
    }

    /** Whether nobody knows what became of the connection; what the server has refused leaves it as it was. */
    private boolean isLost(RuntimeException cause) {
        return cause instanceof PgException refused
                ? PgTrouble.isAway(refused)
                : trouble.of(cause) instanceof StoreAwayException;
    }

    private void drop(PgConnection open) {
        connection = connection.filter(known -> !known.equals(open));
        beginning = beginning.filter(known -> !known.equals(open));
        open.close().onFailure(gone -> LOG.debug("a lost connection did not close: {}", gone.getMessage()));
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
                .onFailure(late -> opening.onSuccess(PgConnection::close))
                .compose(this::begin)
                .recover(cause -> {
                    StoreAwayException away = trouble.connecting(cause);
                    refused = Optional.of(away);
                    refusedAt = System.nanoTime();
                    return Future.failedFuture(away);
                });
    }

    /** Nothing that the former connection has asked for may still be under way when this one is used. */
    private Future<PgConnection> begin(PgConnection open) {
        beginning = Optional.of(open);
        open.closeHandler(gone -> drop(open));
        // Without anybody who hears it the client prints it past the log. What it leads to is told by whoever asked.
        open.exceptionHandler(cause -> LOG.debug("a connection is told: {}", cause.getMessage()));
        Future<Backend> begun =
                endFormer(open).compose(ended -> subscribe(open)).compose(heard -> backend(open));
        return TimeLimit.of(vertx, begun, patience)
                .onFailure(cause -> drop(open))
                .compose(own -> {
                    former = Optional.of(own);
                    if (beginning.isEmpty()) {
                        return Future.failedFuture(new IllegalStateException("it was lost as soon as it was made"));
                    }
                    number++;
                    connection = beginning;
                    refused = Optional.empty();
                    return Future.succeededFuture(open);
                });
    }

    private Future<?> subscribe(PgConnection open) {
        if (subscription.isEmpty()) {
            return Future.succeededFuture();
        }
        open.notificationHandler(subscription.get().heard());
        return open.query("LISTEN " + subscription.get().channel()).execute();
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
                    return Future.failedFuture(trouble.away(new IllegalStateException("an old connection lives on")));
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

    /** After all that was asked for. */
    Future<Void> close() {
        return queue.ask(() -> Future.<Void>succeededFuture()).transform(over -> {
            Optional<PgConnection> open = connection;
            connection = Optional.empty();
            return open.map(SqlConnection::close).orElseGet(Future::succeededFuture);
        });
    }
}
