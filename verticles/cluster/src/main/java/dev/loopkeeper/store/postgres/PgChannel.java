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
 * What nodes ask each other by one table: over a connection of its own, and with a hint, by the database and beside it,
 * whenever there is something to be seen. Safe to use from any thread.
 */
final class PgChannel {
    private final String name;
    private final NodeHints.Kind kind;
    private final NodeHints hints;
    private final HomeContext home;
    private final PgSession session;

    /**
     * Connects when it is first asked. {@code options.patience} is for each answer.
     *
     * @param name on which the database tells of it
     */
    PgChannel(Vertx vertx, PostgresOptions options, String name, NodeHints.Kind kind, NodeHints hints) {
        PgConnectOptions connect = PostgresEventStore.connect(options);
        this.name = name;
        this.kind = kind;
        this.hints = hints;
        this.home = new HomeContext(vertx.getOrCreateContext());
        this.session = new PgSession(vertx, connect, options.patience(), PostgresEventStore.trouble(connect));
    }

    /** The query by which the database tells of what the statement around it changes. */
    static String tell(String name) {
        return "SELECT pg_notify('" + name + "', '')";
    }

    /** See {@link CommandInbox#watch} and {@link NodeMail#watch}. */
    void watch(Runnable changed) {
        hints.watch(kind, changed);
        home.run(() -> session.hear(name, hint -> changed.run()));
    }

    <T> Future<T> ask(Function<SqlConnection, Future<T>> work) {
        return home.ask(() -> session.during(work));
    }

    /** The same for what the others should look at when it is committed. */
    <T> Future<T> change(Function<SqlConnection, Future<T>> work) {
        return ask(work).onSuccess(committed -> hints.tell(kind));
    }

    /**
     * The answers to those that have one.
     *
     * @param sql gives number and answer of the rows whose numbers are {@code $1}
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
