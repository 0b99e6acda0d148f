package dev.loopkeeper.store.postgres;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * {@link CommandInbox} in PostgreSQL, on a connection of its own. Deletes answered commands after an hour. Thread-safe.
 */
public final class PostgresCommandInbox implements CommandInbox {
    private static final String CHANNEL = "loopkeeper_commands";
    private static final String NOTIFY = PgChannel.notifyQuery(CHANNEL);

    private final PgChannel commands;

    private PostgresCommandInbox(PgChannel commands) {
        this.commands = commands;
    }

    /** Connects at first use. {@code options.patience} limits each query. */
    public static CommandInbox of(Vertx vertx, PostgresOptions options, NodeHints hints) {
        return new PostgresCommandInbox(new PgChannel(vertx, options, CHANNEL, NodeHints.Kind.COMMANDS, hints));
    }

    @Override
    public void watch(Runnable changed) {
        commands.watch(changed);
    }

    @Override
    public Future<Long> ask(String runId, String action, String body, String askedBy) {
        String sql = "WITH old AS (DELETE FROM commands WHERE answered_at < now() - interval '1 hour'),"
                + " notified AS (" + NOTIFY + "),"
                + " asked AS (INSERT INTO commands (run_id, verb, body, asked_by) VALUES ($1, $2, $3, $4) RETURNING id)"
                + " SELECT asked.id FROM asked, notified";
        return commands.change(
                connection -> PgStatements.first(connection, sql, row -> row.getLong(0), runId, action, body, askedBy)
                        .map(Optional::orElseThrow));
    }

    @Override
    public Future<Map<Long, String>> answers(Set<Long> ids) {
        String sql = "SELECT id, answer FROM commands WHERE id = ANY($1) AND answer IS NOT NULL";
        return commands.answers(sql, ids);
    }

    @Override
    public Future<Boolean> withdraw(long id) {
        String sql = "DELETE FROM commands WHERE id = $1 AND taken_epoch IS NULL AND answer IS NULL";
        return commands.ask(
                connection -> PgStatements.change(connection, sql, id).map(count -> count == 1));
    }

    @Override
    public Future<List<Command>> open(String node, int limit) {
        String sql = "SELECT c.id, c.run_id, c.verb, c.body FROM commands c JOIN runs r USING (run_id)"
                + " WHERE c.answer IS NULL AND r.owner = $1 ORDER BY c.id LIMIT $2";
        return commands.ask(connection -> PgStatements.all(
                connection,
                sql,
                row -> new Command(row.getLong(0), row.getString(1), row.getString(2), row.getString(3)),
                node,
                limit));
    }

    /** Keeps the sequence of the first attempt: its effects are among the events after that sequence. */
    @Override
    public Future<Optional<Taken>> take(long id, String node) {
        String sql = "WITH old AS (SELECT c.id, c.taken_epoch, c.taken_sequence, r.owner_epoch, r.last_sequence"
                + " FROM commands c JOIN runs r USING (run_id) WHERE c.id = $1 AND c.answer IS NULL AND r.owner = $2"
                + " FOR UPDATE OF c)"
                + " UPDATE commands c SET taken_epoch = old.owner_epoch,"
                + " taken_sequence = coalesce(old.taken_sequence, old.last_sequence) FROM old WHERE c.id = old.id"
                + " RETURNING c.taken_epoch, old.taken_epoch, c.taken_sequence";
        return commands.ask(connection -> PgStatements.first(
                connection,
                sql,
                row -> new Taken(
                        row.getLong(0),
                        row.getLong(1) == null ? OptionalLong.empty() : OptionalLong.of(row.getLong(2))),
                id,
                node));
    }

    @Override
    public Future<Void> answer(long id, long epoch, String answer) {
        String sql =
                "WITH notified AS (" + NOTIFY + ") UPDATE commands SET answer = $3, answered_at = now() FROM notified"
                        + " WHERE id = $1 AND taken_epoch = $2 AND answer IS NULL";
        return commands.change(connection ->
                PgStatements.change(connection, sql, id, epoch, answer).<Void>mapEmpty());
    }

    @Override
    public Future<Void> close() {
        return commands.close();
    }
}
