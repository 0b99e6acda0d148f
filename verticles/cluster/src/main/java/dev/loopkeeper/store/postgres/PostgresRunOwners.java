package dev.loopkeeper.store.postgres;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.loopkeeper.ownership.Claimant.FreeRun;
import dev.loopkeeper.ownership.NodeBeat;
import dev.loopkeeper.ownership.Placement;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * {@link RunOwners} in PostgreSQL, on a connection of its own, so that it does not wait for appends. Used on the
 * context that created it.
 */
public final class PostgresRunOwners implements RunOwners {
    static final String ENDED = "status IN ('completed', 'stopped', 'failed')";

    private static final String NO_LIVE_OWNER =
            "(r.owner IS NULL OR NOT EXISTS (SELECT 1 FROM nodes n WHERE n.node = r.owner" + " AND n.state = 'live'))";

    private final PgSession session;

    private PostgresRunOwners(PgSession session) {
        this.session = session;
    }

    /** Connects at first use. {@code options.patience} limits each query. */
    public static RunOwners of(Vertx vertx, PostgresOptions options) {
        return new PostgresRunOwners(Database.of(options).session(vertx));
    }

    @Override
    public Future<JoinResult> join(NodeFacts facts) {
        return changing(connection -> NodeTable.join(connection, facts, session.number()));
    }

    static OwnedRun owned(Row row) {
        return new OwnedRun(row.getString(0), row.getLong(1));
    }

    @Override
    public Future<Boolean> renew(NodeFacts facts, long incarnation) {
        String sql = "UPDATE nodes SET beat = beat + 1, beat_at = now(), url = $3, lease = $4"
                + " WHERE node = $1 AND incarnation = $2 AND state = 'live'";
        return session.change(
                        sql,
                        facts.node(),
                        incarnation,
                        facts.url(),
                        facts.terms().lease().toMillis())
                .map(count -> count == 1);
    }

    @Override
    public Future<Boolean> replace(NodeBeat silent) {
        return changing(connection -> NodeTable.end(connection, silent, ""));
    }

    @Override
    public Future<String> rootMark(String root, String proposed) {
        String keep = "INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING";
        return changing(connection -> PgStatements.change(connection, keep, rootKey(root), proposed)
                .compose(kept -> rootMark(connection, root))
                .map(Optional::orElseThrow));
    }

    private static String rootKey(String root) {
        return "root " + root;
    }

    private static Future<Optional<String>> rootMark(SqlConnection connection, String root) {
        return PgStatements.first(
                connection, "SELECT value FROM meta WHERE key = $1", row -> row.getString(0), rootKey(root));
    }

    @Override
    public Future<Optional<String>> knownRootMark(String root) {
        return session.enqueue(connection -> rootMark(connection, root));
    }

    @Override
    public Future<NodeSnapshot> nodes() {
        return session.enqueue(
                connection -> NodeTable.all(connection).map(nodes -> new NodeSnapshot(session.number(), nodes)));
    }

    @Override
    public Future<Boolean> fence(NodeBeat silent, String by, long incarnation) {
        String byIsLive = " AND EXISTS (SELECT 1 FROM nodes WHERE node = $4 AND incarnation = $5 AND state = 'live')";
        return changing(connection -> NodeTable.end(connection, silent, byIsLive, by, incarnation));
    }

    @Override
    public Future<List<FreeRun>> free(String node, Set<String> roots, int limit) {
        List<String> hosted = new ArrayList<>(shared(roots));
        hosted.add(PlacementText.of(new Placement.Pinned(node)));
        return oldest("NOT r." + ENDED + " AND " + NO_LIVE_OWNER, hosted, limit);
    }

    @Override
    public Future<List<FreeRun>> movable(List<String> runIds, String node, Set<String> roots) {
        String which = "r.run_id = ANY($3) AND r.owner = $4";
        return oldest(which, shared(roots), runIds.size(), PgStatements.texts(runIds), node);
    }

    private static List<String> shared(Set<String> roots) {
        return roots.stream()
                .map(root -> PlacementText.of(new Placement.Shared(root)))
                .toList();
    }

    private Future<List<FreeRun>> oldest(String which, List<String> placements, int limit, Object... words) {
        String sql = "SELECT r.run_id, r.placement, r.created_at FROM runs r WHERE " + which
                + " AND r.placement = ANY($1) ORDER BY r.created_at, r.run_id LIMIT $2";
        Object[] all = Stream.concat(Stream.of(PgStatements.texts(placements), limit), Stream.of(words))
                .toArray();
        return session.all(
                sql,
                row -> new FreeRun(
                        row.getString(0),
                        PlacementText.parse(row.getString(1)).orElseThrow(),
                        Instant.parse(row.getString(2))),
                all);
    }

    @Override
    public Future<List<OwnedRun>> claim(List<String> runIds, String node, long incarnation) {
        String take = "WITH l AS (SELECT r.run_id FROM runs r WHERE r.run_id = ANY($3) AND " + NO_LIVE_OWNER
                + " ORDER BY r.run_id FOR UPDATE OF r SKIP LOCKED), u AS (UPDATE runs r SET owner = $1,"
                + " owner_epoch = r.owner_epoch + 1 FROM l WHERE r.run_id = l.run_id AND " + NO_LIVE_OWNER
                + " RETURNING r.run_id, r.owner_epoch), o AS (INSERT INTO ownership (run_id, epoch, node, incarnation)"
                + " SELECT run_id, owner_epoch, $1, $2 FROM u) SELECT run_id, owner_epoch FROM u ORDER BY run_id";
        return changing(connection -> NodeTable.whileLive(
                connection,
                node,
                incarnation,
                () -> PgStatements.all(
                        connection, take, PostgresRunOwners::owned, node, incarnation, PgStatements.texts(runIds)),
                List.of()));
    }

    @Override
    public Future<Unattended> unattended() {
        String sql = "SELECT (SELECT count(*) FROM requests WHERE run_id IS NOT NULL AND answer IS NULL"
                + " AND taken_epoch IS NULL),"
                + " (SELECT count(*) FROM runs r WHERE NOT r." + ENDED + " AND " + NO_LIVE_OWNER + ")";
        return session.first(sql, row -> new Unattended(row.getLong(0), row.getLong(1)))
                .map(Optional::orElseThrow);
    }

    @Override
    public Future<List<OwnedRun>> owned(String node) {
        String sql = "SELECT run_id, owner_epoch FROM runs WHERE owner = $1 AND NOT " + ENDED + " ORDER BY run_id";
        return session.all(sql, PostgresRunOwners::owned, node);
    }

    @Override
    public Future<Void> release(List<String> runIds, String node, long incarnation) {
        String sql = "WITH l AS (SELECT run_id FROM runs WHERE run_id = ANY($2) AND owner = $1 ORDER BY run_id"
                + " FOR UPDATE) UPDATE runs r SET owner = NULL, owner_epoch = r.owner_epoch + 1 FROM l"
                + " WHERE r.run_id = l.run_id AND r.owner = $1";
        return changing(connection -> NodeTable.whileLive(
                        connection,
                        node,
                        incarnation,
                        () -> PgStatements.change(connection, sql, node, PgStatements.texts(runIds)),
                        0))
                .mapEmpty();
    }

    @Override
    public Future<Boolean> leave(String node, long incarnation) {
        String sql = "UPDATE nodes SET state = 'left' WHERE node = $1 AND incarnation = $2 AND state = 'live'"
                + " AND NOT EXISTS (SELECT 1 FROM runs WHERE owner = $1 AND NOT " + ENDED + ")";
        return session.change(sql, node, incarnation).map(count -> count == 1);
    }

    @Override
    public Future<Optional<Owner>> owner(String runId) {
        return session.first(
                "SELECT owner, owner_epoch, placement FROM runs WHERE run_id = $1",
                row -> new Owner(
                        Optional.ofNullable(row.getString(0)), row.getLong(1), PlacementText.parse(row.getString(2))),
                runId);
    }

    @Override
    public Future<Void> announce(String node, String url) {
        String sql = "UPDATE nodes SET url = $2 WHERE node = $1";
        return session.change(sql, node, url).mapEmpty();
    }

    @Override
    public Future<Optional<String>> nodeOfStep(String runId, String stepId) {
        String sql = "SELECT o.node FROM events e JOIN ownership o ON o.run_id = e.run_id AND o.epoch = e.epoch"
                + " WHERE e.run_id = $1 AND e.type = 'step.started' AND strpos(e.data, $2) > 0"
                + " ORDER BY e.sequence DESC LIMIT 1";
        return session.first(
                sql, row -> row.getString(0), runId, TextNode.valueOf(stepId).toString());
    }

    @Override
    public Future<List<String>> nodesOfSteps(String runId) {
        String sql = "SELECT o.node FROM ownership o WHERE o.run_id = $1 AND EXISTS (SELECT 1 FROM events e"
                + " WHERE e.run_id = o.run_id AND e.epoch = o.epoch AND e.type = 'step.started')"
                + " GROUP BY o.node ORDER BY max(o.epoch)";
        return session.all(sql, row -> row.getString(0), runId);
    }

    @Override
    public Future<Boolean> takeDuty(String duty, String node, long incarnation) {
        String make = "INSERT INTO duties (duty) VALUES ($1) ON CONFLICT (duty) DO NOTHING";
        String take = "UPDATE duties d SET node = $2, incarnation = $3 WHERE d.duty = $1"
                + " AND NOT (d.node IS NOT NULL AND d.node = $2 AND d.incarnation = $3) AND NOT EXISTS (SELECT 1 FROM nodes n"
                + " WHERE n.node = d.node AND n.incarnation = d.incarnation AND n.state = 'live')";
        String mine = "SELECT 1 FROM duties WHERE duty = $1 AND node = $2 AND incarnation = $3";
        return changing(connection -> NodeTable.whileLive(
                connection,
                node,
                incarnation,
                () -> PgStatements.change(connection, make, duty)
                        .compose(there -> PgStatements.change(connection, take, duty, node, incarnation))
                        .compose(taken -> PgStatements.first(connection, mine, row -> true, duty, node, incarnation))
                        .map(Optional::isPresent),
                false));
    }

    @Override
    public Future<Void> releaseDuty(String duty, String node, long incarnation) {
        String sql = "UPDATE duties SET node = NULL WHERE duty = $1 AND node = $2 AND incarnation = $3";
        return session.change(sql, duty, node, incarnation).mapEmpty();
    }

    @Override
    public Future<Map<String, String>> takeSignalFiles(
            String runId, long sequence, Set<String> files, String node, long incarnation) {
        return changing(connection -> SignalFileTable.take(connection, runId, sequence, files, node, incarnation));
    }

    @Override
    public Future<Void> releaseSignalFiles(String runId, String node, long incarnation) {
        return session.enqueue(connection -> SignalFileTable.release(connection, runId, node, incarnation));
    }

    @Override
    public Future<String> identity() {
        String sql = "SELECT c.system_identifier::text || 'd' || d.oid::text FROM pg_control_system() c, pg_database d"
                + " WHERE d.datname = current_database()";
        return session.first(sql, row -> row.getString(0)).map(Optional::orElseThrow);
    }

    @Override
    public Future<Void> close() {
        return session.close();
    }

    private <T> Future<T> changing(Function<SqlConnection, Future<T>> work) {
        return session.enqueue(
                connection -> PgStatements.transaction(connection, "BEGIN", () -> work.apply(connection)));
    }
}
