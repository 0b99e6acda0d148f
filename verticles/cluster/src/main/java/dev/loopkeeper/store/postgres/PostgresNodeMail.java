package dev.loopkeeper.store.postgres;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.SqlConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** On a connection of its own, and safe to use from any thread. What nobody waits for any more goes after 10 minutes. */
public final class PostgresNodeMail implements NodeMail {
    private static final String CHANNEL = "loopkeeper_questions";
    private static final String TELL = "SELECT pg_notify('" + CHANNEL + "', '')";

    private final Vertx vertx;
    private final Context context;
    private final PgSession session;
    private final NodeHints hints;

    private PostgresNodeMail(Vertx vertx, PgSession session, NodeHints hints) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.session = session;
        this.hints = hints;
    }

    /** Connects when it is first asked. {@code options.patience} is for each answer. */
    public static NodeMail of(Vertx vertx, PostgresOptions options, NodeHints hints) {
        PgConnectOptions connect = PostgresEventStore.connect(options);
        return new PostgresNodeMail(
                vertx, new PgSession(vertx, connect, options.patience(), PostgresEventStore.trouble(connect)), hints);
    }

    @Override
    public void watch(Runnable changed) {
        hints.watch(NodeHints.Kind.QUESTIONS, changed);
        context.runOnContext(now -> session.hear(CHANNEL, hint -> changed.run()));
    }

    @Override
    public Future<Long> ask(String node, String channel, String body, long patienceMillis) {
        String sql = "WITH old AS (DELETE FROM questions WHERE asked_at < now() - interval '10 minutes'),"
                + " tell AS (" + TELL + "),"
                + " asked AS (INSERT INTO questions (node, channel, body, patience) VALUES ($1, $2, $3, $4)"
                + " RETURNING id) SELECT asked.id FROM asked, tell";
        return asking(connection -> PgStatements.first(
                                connection, sql, row -> row.getLong(0), node, channel, body, patienceMillis)
                        .map(Optional::orElseThrow))
                .onSuccess(this::told);
    }

    private void told(Object committed) {
        hints.tell(NodeHints.Kind.QUESTIONS);
    }

    @Override
    public Future<Map<Long, String>> answers(Set<Long> ids) {
        String sql = "DELETE FROM questions WHERE id = ANY($1) AND answer IS NOT NULL RETURNING id, answer";
        return asking(connection -> PgStatements.all(
                        connection, sql, row -> Map.entry(row.getLong(0), row.getString(1)), (Object)
                                ids.toArray(Long[]::new))
                .map(found -> {
                    Map<Long, String> answers = new HashMap<>();
                    found.forEach(answer -> answers.put(answer.getKey(), answer.getValue()));
                    return answers;
                }));
    }

    @Override
    public Future<Void> withdraw(long id) {
        return asking(connection -> PgStatements.change(connection, "DELETE FROM questions WHERE id = $1", id)
                .mapEmpty());
    }

    @Override
    public Future<List<Question>> take(String node, int limit) {
        String sql = "UPDATE questions q SET taken = true FROM (SELECT id FROM questions WHERE node = $1 AND NOT taken"
                + " ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED) n WHERE q.id = n.id"
                + " RETURNING q.id, q.channel, q.body, q.patience";
        return asking(connection -> PgStatements.all(
                connection,
                sql,
                row -> new Question(row.getLong(0), row.getString(1), row.getString(2), row.getLong(3)),
                node,
                limit));
    }

    @Override
    public Future<Void> answer(long id, String answer) {
        String sql = "WITH tell AS (" + TELL + ") UPDATE questions SET answer = $2 FROM tell WHERE id = $1";
        return asking(connection ->
                        PgStatements.change(connection, sql, id, answer).<Void>mapEmpty())
                .onSuccess(this::told);
    }

    @Override
    public Future<Void> close() {
        return onContext(session::close);
    }

    private <T> Future<T> asking(Function<SqlConnection, Future<T>> work) {
        return onContext(() -> session.during(work));
    }

    private <T> Future<T> onContext(Supplier<Future<T>> work) {
        Context caller = vertx.getOrCreateContext();
        Promise<T> answer = Promise.promise();
        context.runOnContext(now -> work.get().onComplete(done -> caller.runOnContext(told -> answer.handle(done))));
        return answer.future();
    }
}
