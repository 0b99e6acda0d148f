package dev.loopkeeper.store.postgres;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.loopkeeper.ownership.Claimant.FreeRun;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.ownership.NodeBeat;
import dev.loopkeeper.ownership.Placement;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * {@link RunOwners} in PostgreSQL, on a connection of its own, so that it does not wait for appends. Used on the
 * context that created it.
 */
public final class PostgresRunOwners implements RunOwners {
    private static final String ENDED = "status IN ('completed', 'stopped', 'failed')";

    /** Locks rows in the same order as appends, to avoid deadlocks. */
    private static final String FREE_ALL = "WITH l AS (SELECT run_id FROM runs WHERE owner = $1 AND NOT " + ENDED
            + " ORDER BY run_id FOR UPDATE) UPDATE runs r SET owner = NULL, owner_epoch = r.owner_epoch + 1 FROM l"
            + " WHERE r.run_id = l.run_id";

    private static final String RAISE_ALL = "WITH l AS (SELECT run_id FROM runs WHERE owner = $1 AND NOT " + ENDED
            + " ORDER BY run_id FOR UPDATE), u AS (UPDATE runs r SET owner_epoch = r.owner_epoch + 1 FROM l"
            + " WHERE r.run_id = l.run_id RETURNING r.run_id, r.owner_epoch), o AS (INSERT INTO ownership (run_id, epoch,"
            + " node, incarnation) SELECT run_id, owner_epoch, $1, $2 FROM u)"
            + " SELECT run_id, owner_epoch FROM u ORDER BY run_id";

    /** Locks the node's row until the claim commits, so that a fence of the node sees all its runs. */
    private static final String LIVE =
            "SELECT 1 FROM nodes WHERE node = $1 AND incarnation = $2 AND state = 'live'" + " FOR SHARE";

    private static final String NO_LIVE_OWNER =
            "(r.owner IS NULL OR NOT EXISTS (SELECT 1 FROM nodes n WHERE n.node = r.owner" + " AND n.state = 'live'))";

    /** A claimed queued run takes a slot for this long; then it takes one only if it has started. */
    private static final String STARTS_WITHIN = "interval '5 s'";

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
        String take = "INSERT INTO nodes (node, folder, incarnation, beat, state, url, version, roots, places, lease)"
                + " VALUES ($1, $2, 0, 0, 'left', $3, $4, $5, $6, $7) ON CONFLICT (node) DO NOTHING";
        return changing(connection -> PgStatements.change(connection, take, values(facts))
                .compose(there -> PgStatements.first(
                        connection,
                        "SELECT state, folder, incarnation, beat, url, lease FROM nodes WHERE node = $1 FOR UPDATE",
                        Function.identity(),
                        facts.node()))
                .compose(found -> join(connection, facts, found.orElseThrow())));
    }

    private static Object[] values(NodeFacts facts) {
        return new Object[] {
            facts.node(),
            facts.folder(),
            facts.url(),
            facts.version(),
            PgStatements.texts(facts.roots()),
            facts.places(),
            facts.terms().lease().toMillis()
        };
    }

    private Future<JoinResult> join(SqlConnection connection, NodeFacts facts, Row before) {
        boolean live = before.getString(0).equals("live");
        if (live && !before.getString(1).equals(facts.folder())) {
            NodeBeat beat = new NodeBeat(facts.node(), before.getLong(2), before.getLong(3), terms(before.getLong(5)));
            return Future.succeededFuture(
                    new JoinResult.Occupied(beat, before.getString(1), before.getString(4), session.number()));
        }
        long incarnation = before.getLong(2) + 1;
        String renew = "UPDATE nodes SET folder = $2, url = $3, version = $4, roots = $5, places = $6,"
                + " lease = " + (live ? "greatest(lease, $7)" : "$7") + ","
                + " incarnation = " + incarnation + ", beat = beat + 1, beat_at = now(), state = 'live'"
                + " WHERE node = $1";
        Future<Integer> freed = live
                ? Future.succeededFuture(0)
                // Also frees runs that the node created while it was fenced.
                : PgStatements.change(connection, FREE_ALL, facts.node());
        return freed.compose(rest -> PgStatements.change(connection, renew, values(facts)))
                .compose(joined ->
                        PgStatements.all(connection, RAISE_ALL, PostgresRunOwners::owned, facts.node(), incarnation))
                .map(runs -> new JoinResult.Joined(incarnation, runs));
    }

    private static LeaseTerms terms(long millis) {
        return new LeaseTerms(Duration.ofMillis(millis));
    }

    private static OwnedRun owned(Row row) {
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
        return end(silent, "");
    }

    /** @param condition of the update; its values begin with {@code $4} */
    private Future<Boolean> end(NodeBeat silent, String condition, Object... values) {
        String sql = "UPDATE nodes SET state = 'fenced' WHERE node = $1 AND incarnation = $2 AND beat = $3"
                + " AND state = 'live'" + condition;
        Object[] all = Stream.concat(Stream.of(silent.node(), silent.incarnation(), silent.beat()), Stream.of(values))
                .toArray();
        return changing(connection -> PgStatements.change(connection, sql, all)
                .compose(ended -> ended == 0
                        ? Future.succeededFuture(false)
                        : PgStatements.change(connection, FREE_ALL, silent.node())
                                .map(true)));
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
        String sql = "SELECT node, folder, url, version, roots, places, incarnation, beat, state,"
                + " (extract(epoch FROM clock_timestamp() - beat_at) * 1000)::bigint,"
                + " (SELECT count(*) FROM runs r WHERE r.owner = nodes.node AND NOT r." + ENDED
                + " AND r.status <> 'paused')::int,"
                + " (SELECT count(*) FROM runs r WHERE r.owner = nodes.node"
                + " AND (r." + SignalFileTable.ACTIVE + " OR (r.status = 'queued' AND r.owner_epoch > 1"
                + " AND EXISTS (SELECT 1 FROM ownership o WHERE o.run_id = r.run_id AND o.epoch = r.owner_epoch"
                + " AND o.since > now() - " + STARTS_WITHIN + "))))::int,"
                + " lease FROM nodes ORDER BY node";
        return session.enqueue(connection -> PgStatements.all(connection, sql, PostgresRunOwners::node)
                .map(nodes -> new NodeSnapshot(session.number(), nodes)));
    }

    private static NodeRow node(Row row) {
        NodeFacts facts = new NodeFacts(
                row.getString(0),
                row.getString(1),
                row.getString(2),
                row.getString(3),
                Set.of(row.getArrayOfStrings(4)),
                row.getInteger(5),
                terms(row.getLong(12)));
        return new NodeRow(
                facts,
                row.getLong(6),
                row.getLong(7),
                row.getString(8),
                row.getLong(9),
                row.getInteger(10),
                row.getInteger(11));
    }

    @Override
    public Future<Boolean> fence(NodeBeat silent, String by, long incarnation) {
        String byIsLive = " AND EXISTS (SELECT 1 FROM nodes WHERE node = $4 AND incarnation = $5 AND state = 'live')";
        return end(silent, byIsLive, by, incarnation);
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
        return changing(connection -> whileLive(
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
        return changing(connection -> whileLive(
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
        return changing(connection -> whileLive(
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

    private static <T> Future<T> whileLive(
            SqlConnection connection, String node, long incarnation, Supplier<Future<T>> work, T otherwise) {
        return connection
                .preparedQuery(LIVE)
                .execute(Tuple.of(node, incarnation))
                .compose(live -> live.size() == 1 ? work.get() : Future.succeededFuture(otherwise));
    }

    private <T> Future<T> changing(Function<SqlConnection, Future<T>> work) {
        return session.enqueue(
                connection -> PgStatements.transaction(connection, "BEGIN", () -> work.apply(connection)));
    }
}
