package dev.loopkeeper.store.postgres;

import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The table of requests between nodes, on a connection of its own. A request goes to the owner of a run, which may
 * change, or to a node. Each method may fail with {@link dev.loopkeeper.store.StoreUnavailableException}. Thread-safe.
 */
public final class NodeRequests {
    /**
     * A request from another node.
     *
     * @param runId run whose owner executes the request; empty for a request to this node
     * @param action what to do with the run, e.g. {@code pause}, or the address of the node's channel
     * @param body JSON of the request
     */
    public record Request(long id, Optional<String> runId, String action, String body) {}

    /**
     * A request that this node has taken.
     *
     * @param epoch of the owner that took it; 0 for a request to a node
     * @param attemptedAfter sequence of the run before another owner took the request; empty if no other owner took it
     */
    public record Taken(long epoch, OptionalLong attemptedAfter) {}

    private final NodeHints hints;
    private final HomeContext home;
    private final PgSession session;

    /** Connects at first use. {@code options.patience} limits each query. */
    public NodeRequests(Vertx vertx, PostgresOptions options, NodeHints hints) {
        this.hints = hints;
        this.home = new HomeContext(vertx.getOrCreateContext());
        this.session = Database.of(options).session(vertx);
    }

    /**
     * Calls {@code changed}, on any thread, when there may be new requests or answers. A call may be lost. Several
     * watchers may be added.
     */
    public void watch(Runnable changed) {
        hints.watch(NodeHints.Kind.REQUESTS, changed);
    }

    /** Stores a request to the owner of a run and returns its number. */
    public Future<Long> askOwner(String runId, String action, String body, String askedBy) {
        return ask("run_id", runId, action, body, askedBy);
    }

    /** Stores a request to a node and returns its number. */
    public Future<Long> askNode(String node, String action, String body, String askedBy) {
        return ask("node", node, action, body, askedBy);
    }

    /** Also deletes requests whose sender has received the answer long ago, or was lost. */
    private Future<Long> ask(String column, String receiver, String action, String body, String askedBy) {
        String sql = "WITH old AS (DELETE FROM requests WHERE answered_at < now() - interval '1 hour'"
                + " OR (node IS NOT NULL AND asked_at < now() - interval '10 minutes'))"
                + " INSERT INTO requests (" + column
                + ", action, body, asked_by) VALUES ($1, $2, $3, $4) RETURNING id";
        return change(() -> session.first(sql, row -> row.getLong(0), receiver, action, body, askedBy)
                .map(Optional::orElseThrow));
    }

    /**
     * Returns the answers to those of these requests that have one, by number. Deletes requests to nodes, whose answers
     * may be large; those to owners stay for an hour, so that a person can read what was done.
     */
    public Future<Map<Long, String>> answers(Set<Long> ids) {
        String sql =
                "WITH read AS (DELETE FROM requests WHERE id = ANY($1) AND answer IS NOT NULL AND node IS NOT NULL)"
                        + " SELECT id, answer FROM requests WHERE id = ANY($1) AND answer IS NOT NULL";
        return home.ask(() -> session.all(
                        sql, row -> Map.entry(row.getLong(0), row.getString(1)), (Object) ids.toArray(Long[]::new))
                .map(found -> found.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue))));
    }

    /** Deletes a request that no node has taken. Returns false if it was taken or answered. */
    public Future<Boolean> withdraw(long id) {
        String sql = "DELETE FROM requests WHERE id = $1 AND taken_epoch IS NULL AND answer IS NULL";
        return home.ask(() -> session.change(sql, id).map(count -> count == 1));
    }

    /**
     * Returns unanswered requests, oldest first: those to this node that it has not taken and, if {@code ofRuns}, those
     * to the owners of its runs.
     *
     * @param executing numbers of requests to leave out, which this node executes
     * @param busy runs of which to return only the requests with the action {@code unordered}
     */
    public Future<List<Request>> open(
            String node, boolean ofRuns, Set<Long> executing, Set<String> busy, String unordered, int limit) {
        String sql = "SELECT q.id, q.run_id, q.action, q.body FROM requests q LEFT JOIN runs r USING (run_id)"
                + " WHERE q.answer IS NULL AND ((q.node = $1 AND q.taken_epoch IS NULL) OR ($2 AND r.owner = $1))"
                + " AND q.id <> ALL($3) AND (q.run_id IS NULL OR q.action = $5 OR q.run_id <> ALL($4))"
                + " ORDER BY q.id LIMIT $6";
        return home.ask(() -> session.all(
                sql,
                row -> new Request(
                        row.getLong(0), Optional.ofNullable(row.getString(1)), row.getString(2), row.getString(3)),
                node,
                ofRuns,
                executing.toArray(Long[]::new),
                busy.toArray(String[]::new),
                unordered,
                limit));
    }

    /**
     * Takes a request for this node. Empty if the request is answered, goes to another node, or to a run that this node
     * does not own. A request to a node is taken once. For a run, the sequence of the first attempt stays: the effects
     * of all attempts are among the events after that sequence.
     */
    public Future<Optional<Taken>> take(long id, String node) {
        String sql = "WITH old AS (SELECT q.id, q.taken_epoch, q.taken_sequence, r.owner_epoch, r.last_sequence"
                + " FROM requests q LEFT JOIN runs r USING (run_id) WHERE q.id = $1 AND q.answer IS NULL"
                + " AND (r.owner = $2 OR (q.node = $2 AND q.taken_epoch IS NULL)) FOR UPDATE OF q)"
                + " UPDATE requests q SET taken_epoch = coalesce(old.owner_epoch, 0),"
                + " taken_sequence = coalesce(old.taken_sequence, old.last_sequence) FROM old WHERE q.id = old.id"
                + " RETURNING q.taken_epoch, old.taken_epoch, q.taken_sequence";
        return home.ask(() -> session.first(
                sql,
                row -> new Taken(
                        row.getLong(0),
                        row.getLong(1) == null ? OptionalLong.empty() : OptionalLong.of(row.getLong(2))),
                id,
                node));
    }

    /** Stores the answer, unless another owner has taken the request since. */
    public Future<Void> answer(long id, long epoch, String answer) {
        String sql = "UPDATE requests SET answer = $3, answered_at = now()"
                + " WHERE id = $1 AND taken_epoch = $2 AND answer IS NULL";
        return change(() -> session.change(sql, id, epoch, answer).<Void>mapEmpty());
    }

    /** Closes the connection. */
    public Future<Void> close() {
        return home.ask(session::close);
    }

    /** Executes a change and sends a hint to other nodes once it is committed. */
    private <T> Future<T> change(Supplier<Future<T>> work) {
        return home.ask(work).onSuccess(committed -> hints.send(NodeHints.Kind.REQUESTS));
    }
}
