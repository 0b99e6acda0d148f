package dev.loopkeeper.store.postgres;

import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.SqlConnection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Connection to a table through which nodes exchange commands or requests, with notifications of changes. Thread-safe.
 */
final class PgChannel {
    private final String name;
    private final NodeHints.Kind kind;
    private final NodeHints hints;
    private final HomeContext home;
    private final PgSession session;

    /**
     * Connects at first use. {@code options.patience} limits each query.
     *
     * @param name of the database's notification channel
     */
    PgChannel(Vertx vertx, PostgresOptions options, String name, NodeHints.Kind kind, NodeHints hints) {
        PgConnectOptions connect = PostgresEventStore.connect(options);
        this.name = name;
        this.kind = kind;
        this.hints = hints;
        this.home = new HomeContext(vertx.getOrCreateContext());
        this.session = new PgSession(vertx, connect, options.patience(), PostgresEventStore.failures(connect));
    }

    /** Returns the query that notifies listeners when its statement commits. */
    static String notifyQuery(String name) {
        return "SELECT pg_notify('" + name + "', '')";
    }

    /** See {@link CommandInbox#watch} and {@link NodeRequests#watch}. */
    void watch(Runnable changed) {
        hints.watch(kind, changed);
        home.run(() -> session.listen(name, hint -> changed.run()));
    }

    <T> Future<T> ask(Function<SqlConnection, Future<T>> work) {
        return home.ask(() -> session.enqueue(work));
    }

    /** Executes a change and notifies other nodes once it is committed. */
    <T> Future<T> change(Function<SqlConnection, Future<T>> work) {
        return ask(work).onSuccess(committed -> hints.send(kind));
    }

    /**
     * Returns the answers by number.
     *
     * @param sql selects number and answer of the rows with the numbers {@code $1}
     */
    Future<Map<Long, String>> answers(String sql, Set<Long> ids) {
        return ask(connection -> PgStatements.all(
                        connection, sql, row -> Map.entry(row.getLong(0), row.getString(1)), (Object)
                                ids.toArray(Long[]::new))
                .map(found -> {
                    Map<Long, String> answers = new HashMap<>();
                    found.forEach(answer -> answers.put(answer.getKey(), answer.getValue()));
                    return answers;
                }));
    }

    Future<Void> close() {
        return home.ask(session::close);
    }
}
