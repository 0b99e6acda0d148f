package dev.loopkeeper.store.postgres;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** {@link NodeRequests} in PostgreSQL, on a connection of its own. Deletes requests after 10 minutes. Thread-safe. */
public final class PostgresNodeRequests implements NodeRequests {
    private static final String CHANNEL = "loopkeeper_questions";
    private static final String NOTIFY = PgChannel.notifyQuery(CHANNEL);

    private final PgChannel questions;

    private PostgresNodeRequests(PgChannel questions) {
        this.questions = questions;
    }

    /** Connects at first use. {@code options.patience} limits each query. */
    public static NodeRequests of(Vertx vertx, PostgresOptions options, NodeHints hints) {
        return new PostgresNodeRequests(new PgChannel(vertx, options, CHANNEL, NodeHints.Kind.QUESTIONS, hints));
    }

    @Override
    public void watch(Runnable changed) {
        questions.watch(changed);
    }

    @Override
    public Future<Long> ask(String node, String channel, String body, long patienceMillis) {
        String sql = "WITH old AS (DELETE FROM questions WHERE asked_at < now() - interval '10 minutes'),"
                + " notified AS (" + NOTIFY + "),"
                + " asked AS (INSERT INTO questions (node, channel, body, patience) VALUES ($1, $2, $3, $4)"
                + " RETURNING id) SELECT asked.id FROM asked, notified";
        return questions.change(connection -> PgStatements.first(
                        connection, sql, row -> row.getLong(0), node, channel, body, patienceMillis)
                .map(Optional::orElseThrow));
    }

    @Override
    public Future<Map<Long, String>> answers(Set<Long> ids) {
        String sql = "DELETE FROM questions WHERE id = ANY($1) AND answer IS NOT NULL RETURNING id, answer";
        return questions.answers(sql, ids);
    }

    @Override
    public Future<Void> withdraw(long id) {
        return questions.ask(connection -> PgStatements.change(connection, "DELETE FROM questions WHERE id = $1", id)
                .mapEmpty());
    }

    @Override
    public Future<List<Request>> take(String node, int limit) {
        String sql = "UPDATE questions q SET taken = true FROM (SELECT id FROM questions WHERE node = $1 AND NOT taken"
                + " ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED) n WHERE q.id = n.id"
                + " RETURNING q.id, q.channel, q.body, q.patience";
        return questions.ask(connection -> PgStatements.all(
                connection,
                sql,
                row -> new Request(row.getLong(0), row.getString(1), row.getString(2), row.getLong(3)),
                node,
                limit));
    }

    @Override
    public Future<Void> answer(long id, String answer) {
        String sql = "WITH notified AS (" + NOTIFY + ") UPDATE questions SET answer = $2 FROM notified WHERE id = $1";
        return questions.change(
                connection -> PgStatements.change(connection, sql, id, answer).<Void>mapEmpty());
    }

    @Override
    public Future<Void> close() {
        return questions.close();
    }
}
