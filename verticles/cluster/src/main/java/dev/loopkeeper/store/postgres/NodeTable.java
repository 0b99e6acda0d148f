package dev.loopkeeper.store.postgres;

import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.ownership.NodeBeat;
import dev.loopkeeper.store.postgres.RunOwners.JoinResult;
import dev.loopkeeper.store.postgres.RunOwners.NodeFacts;
import dev.loopkeeper.store.postgres.RunOwners.NodeRow;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The table of nodes with their leases. The end or renewal of a lease also changes the node's runs. */
final class NodeTable {
    /** Locks rows in the same order as appends, to avoid deadlocks. */
    private static final String FREE_ALL = "WITH l AS (SELECT run_id FROM runs WHERE owner = $1 AND NOT "
            + RunOwners.ENDED + " ORDER BY run_id FOR UPDATE) UPDATE runs r SET owner = NULL,"
            + " owner_epoch = r.owner_epoch + 1 FROM l WHERE r.run_id = l.run_id";

    private static final String RAISE_ALL = "WITH l AS (SELECT run_id FROM runs WHERE owner = $1 AND NOT "
            + RunOwners.ENDED + " ORDER BY run_id FOR UPDATE), u AS (UPDATE runs r SET"
            + " owner_epoch = r.owner_epoch + 1 FROM l WHERE r.run_id = l.run_id RETURNING r.run_id, r.owner_epoch),"
            + " o AS (INSERT INTO ownership (run_id, epoch, node, incarnation) SELECT run_id, owner_epoch, $1, $2 FROM u)"
            + " SELECT run_id, owner_epoch FROM u ORDER BY run_id";

    /** Locks the node's row until the transaction commits, so that a fence of the node sees all its changes. */
    static final String LIVE = "SELECT 1 FROM nodes WHERE node = $1 AND incarnation = $2 AND state = 'live' FOR SHARE";

    /** A claimed queued run takes a slot for this long; then it takes one only if it has started. */
    private static final String STARTS_WITHIN = "interval '5 s'";

    private static final String ALL = "SELECT node, folder, url, version, roots, places, incarnation, beat, state,"
            + " (extract(epoch FROM clock_timestamp() - beat_at) * 1000)::bigint,"
            + " (SELECT count(*) FROM runs r WHERE r.owner = nodes.node AND NOT r." + RunOwners.ENDED
            + " AND r.status <> 'paused')::int,"
            + " (SELECT count(*) FROM runs r WHERE r.owner = nodes.node"
            + " AND (r." + SignalFileTable.ACTIVE + " OR (r.status = 'queued' AND r.owner_epoch > 1"
            + " AND EXISTS (SELECT 1 FROM ownership o WHERE o.run_id = r.run_id AND o.epoch = r.owner_epoch"
            + " AND o.since > now() - " + STARTS_WITHIN + "))))::int,"
            + " lease FROM nodes ORDER BY node";

    private NodeTable() {}

    /**
     * See {@link RunOwners#join}. To be executed in a transaction.
     *
     * @param session number of the connection
     */
    static Future<JoinResult> join(SqlConnection connection, NodeFacts facts, long session) {
        String take = "INSERT INTO nodes (node, folder, incarnation, beat, state, url, version, roots, places, lease)"
                + " VALUES ($1, $2, 0, 0, 'left', $3, $4, $5, $6, $7) ON CONFLICT (node) DO NOTHING";
        return PgStatements.change(connection, take, values(facts))
                .compose(there -> PgStatements.first(
                        connection,
                        "SELECT state, folder, incarnation, beat, url, lease FROM nodes WHERE node = $1 FOR UPDATE",
                        Function.identity(),
                        facts.node()))
                .compose(found -> join(connection, facts, found.orElseThrow(), session));
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

    private static Future<JoinResult> join(SqlConnection connection, NodeFacts facts, Row before, long session) {
        boolean live = before.getString(0).equals("live");
        if (live && !before.getString(1).equals(facts.folder())) {
            NodeBeat beat = new NodeBeat(facts.node(), before.getLong(2), before.getLong(3), terms(before.getLong(5)));
            return Future.succeededFuture(
                    new JoinResult.Occupied(beat, before.getString(1), before.getString(4), session));
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
                .compose(joined -> PgStatements.all(connection, RAISE_ALL, RunOwners::owned, facts.node(), incarnation))
                .map(runs -> new JoinResult.Joined(incarnation, runs));
    }

    private static LeaseTerms terms(long millis) {
        return new LeaseTerms(Duration.ofMillis(millis));
    }

    /**
     * Ends the lease of a node whose beat is unchanged and frees its open runs. To be executed in a transaction.
     *
     * @param condition of the update; its values begin with {@code $4}
     */
    static Future<Boolean> end(SqlConnection connection, NodeBeat silent, String condition, Object... values) {
        String sql = "UPDATE nodes SET state = 'fenced' WHERE node = $1 AND incarnation = $2 AND beat = $3"
                + " AND state = 'live'" + condition;
        Object[] all = Stream.concat(Stream.of(silent.node(), silent.incarnation(), silent.beat()), Stream.of(values))
                .toArray();
        return PgStatements.change(connection, sql, all)
                .compose(ended -> ended == 0
                        ? Future.succeededFuture(false)
                        : PgStatements.change(connection, FREE_ALL, silent.node())
                                .map(true));
    }

    /** See {@link RunOwners#nodes}. */
    static Future<List<NodeRow>> all(SqlConnection connection) {
        return PgStatements.all(connection, ALL, NodeTable::row);
    }

    private static NodeRow row(Row row) {
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

    /** Executes work if the node is live with this incarnation. To be executed in a transaction. */
    static <T> Future<T> whileLive(
            SqlConnection connection, String node, long incarnation, Supplier<Future<T>> work, T otherwise) {
        return connection
                .preparedQuery(LIVE)
                .execute(Tuple.of(node, incarnation))
                .compose(live -> live.size() == 1 ? work.get() : Future.succeededFuture(otherwise));
    }
}
