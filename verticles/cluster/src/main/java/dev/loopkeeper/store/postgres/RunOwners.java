package dev.loopkeeper.store.postgres;

import dev.loopkeeper.ownership.Claimant.FreeRun;
import dev.loopkeeper.ownership.LeaseTerms;
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
 * Stores which node owns which run, on a connection of its own, so that it does not wait for appends. Used on the context
 * that created it. Each change is one statement or one transaction. Each method may fail with
 * {@link dev.loopkeeper.store.StoreUnavailableException}; then the caller does not know whether the change was made.
 */
public class RunOwners {
    static final String ENDED = "status IN ('completed', 'stopped', 'failed')";

    private static final String NO_LIVE_OWNER =
            "(r.owner IS NULL OR NOT EXISTS (SELECT 1 FROM nodes n WHERE n.node = r.owner AND n.state = 'live'))";

    /**
     * The facts that a node publishes about itself.
     *
     * @param folder id of its data folder; distinguishes two nodes of one name
     * @param url for people and other nodes; empty without an address
     * @param roots shared folders that the node has proven to see
     * @param places number of run slots, 1 or more
     */
    public record NodeFacts(
            String node, String folder, String url, String version, Set<String> roots, int places, LeaseTerms terms) {}

    /** A run with the epoch under which its owner writes. */
    public record OwnedRun(String runId, long epoch) {}

    /** Result of joining. */
    public sealed interface JoinResult {
        /**
         * The node has a lease.
         *
         * @param runs open runs that it owned before, with raised epochs
         */
        record Joined(long incarnation, List<OwnedRun> runs) implements JoinResult {}

        /** A node of the same name with another data folder holds the lease and may be alive. */
        record Occupied(NodeBeat beat, String folder, String url, long session) implements JoinResult {}
    }

    /**
     * A row of {@code nodes}.
     *
     * @param beatAge milliseconds since the last beat by the database's clock; for display only
     * @param open number of owned runs that are neither ended nor paused
     * @param held number of owned runs that take a slot: not queued and not paused, or claimed moments ago
     */
    public record NodeRow(
            NodeFacts facts, long incarnation, long beat, String state, long beatAge, int open, int held) {
        /** Returns whether the state is {@code live}. */
        public boolean isLive() {
            return state.equals("live");
        }

        /** Returns whether it is live and not silent for so long that it has ended its processes. */
        public boolean beats() {
            return isLive() && beatAge < facts.terms().stopAfter().toMillis();
        }

        /** Returns the beat that other nodes observe. */
        public NodeBeat asBeat() {
            return new NodeBeat(facts.node(), incarnation, beat, facts.terms());
        }
    }

    /**
     * All nodes at one moment.
     *
     * @param session number of the connection; a different number means that earlier snapshots prove nothing
     */
    public record NodeSnapshot(long session, List<NodeRow> nodes) {}

    /**
     * The owner of a run.
     *
     * @param node absent if no node owns the run
     */
    public record Owner(Optional<String> node, long epoch, Optional<Placement> placement) {}

    /**
     * Numbers of commands and runs that wait for a node.
     *
     * @param commands commands that no node has taken
     * @param runs open runs without a live owner
     */
    public record Unattended(long commands, long runs) {}

    private final PgSession session;

    /** Connects at first use. {@code options.patience} limits each query. */
    public RunOwners(Vertx vertx, PostgresOptions options) {
        this.session = Database.of(options).session(vertx);
    }

    /**
     * Begins a lease, see {@link dev.loopkeeper.ownership.LeaseCommand.Join}. Until the first renewal other nodes use
     * the longer of the new and the former lease, because the node's processes still follow the former one.
     */
    public Future<JoinResult> join(NodeFacts facts) {
        return changing(connection -> NodeTable.join(connection, facts, session.number()));
    }

    static OwnedRun owned(Row row) {
        return new OwnedRun(row.getString(0), row.getLong(1));
    }

    /** Raises the beat and updates URL and lease. Returns whether this incarnation is live. */
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

    /**
     * Ends the lease of another folder under the node's own name if its beat is unchanged, as {@link #fence} does.
     * Returns whether it did.
     */
    public Future<Boolean> replace(NodeBeat silent) {
        return changing(connection -> NodeTable.end(connection, silent, ""));
    }

    /**
     * Returns the required content of a shared root's marker file: {@code proposed} if no node has named the root
     * before.
     */
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

    /** Returns the required content if a node has named the root; changes nothing. */
    public Future<Optional<String>> knownRootMark(String root) {
        return session.enqueue(connection -> rootMark(connection, root));
    }

    /** Returns all nodes, sorted by name. */
    public Future<NodeSnapshot> nodes() {
        return session.enqueue(
                connection -> NodeTable.all(connection).map(nodes -> new NodeSnapshot(session.number(), nodes)));
    }

    /**
     * Ends the lease of a node whose beat is unchanged and frees its open runs, if node {@code by} is live. Returns
     * whether it did.
     */
    public Future<Boolean> fence(NodeBeat silent, String by, long incarnation) {
        String byIsLive = " AND EXISTS (SELECT 1 FROM nodes WHERE node = $4 AND incarnation = $5 AND state = 'live')";
        return changing(connection -> NodeTable.end(connection, silent, byIsLive, by, incarnation));
    }

    /** Returns open runs without a live owner that this node can execute, oldest first. */
    public Future<List<FreeRun>> free(String node, Set<String> roots, int limit) {
        List<String> hosted = new ArrayList<>(shared(roots));
        hosted.add(PlacementText.of(new Placement.Pinned(node)));
        return oldest("NOT r." + ENDED + " AND " + NO_LIVE_OWNER, hosted, limit);
    }

    /** Returns those of this node's runs that other nodes with these roots can execute, oldest first. */
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

    /**
     * Makes the node the owner of those runs that have no live owner, if the node is live with this incarnation.
     * Returns the claimed runs.
     */
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
                        connection, take, RunOwners::owned, node, incarnation, PgStatements.texts(runIds)),
                List.of()));
    }

    /** Counts commands and runs that wait for a node. */
    public Future<Unattended> unattended() {
        String sql = "SELECT (SELECT count(*) FROM requests WHERE run_id IS NOT NULL AND answer IS NULL"
                + " AND taken_epoch IS NULL),"
                + " (SELECT count(*) FROM runs r WHERE NOT r." + ENDED + " AND " + NO_LIVE_OWNER + ")";
        return session.first(sql, row -> new Unattended(row.getLong(0), row.getLong(1)))
                .map(Optional::orElseThrow);
    }

    /** Returns the open runs of a node. */
    public Future<List<OwnedRun>> owned(String node) {
        String sql = "SELECT run_id, owner_epoch FROM runs WHERE owner = $1 AND NOT " + ENDED + " ORDER BY run_id";
        return session.all(sql, RunOwners::owned, node);
    }

    /** Removes the owner of those of these runs that the node owns under this incarnation. */
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

    /**
     * Marks the node as left if it owns no open run, so that others need not wait for its lease. Returns whether it
     * did.
     */
    public Future<Boolean> leave(String node, long incarnation) {
        String sql = "UPDATE nodes SET state = 'left' WHERE node = $1 AND incarnation = $2 AND state = 'live'"
                + " AND NOT EXISTS (SELECT 1 FROM runs WHERE owner = $1 AND NOT " + ENDED + ")";
        return session.change(sql, node, incarnation).map(count -> count == 1);
    }

    /** Returns the owner; empty for an unknown run. */
    public Future<Optional<Owner>> owner(String runId) {
        return session.first(
                "SELECT owner, owner_epoch, placement FROM runs WHERE run_id = $1",
                row -> new Owner(
                        Optional.ofNullable(row.getString(0)), row.getLong(1), PlacementText.parse(row.getString(2))),
                runId);
    }

    /** Publishes the URL of a joined node. */
    public Future<Void> announce(String node, String url) {
        String sql = "UPDATE nodes SET url = $2 WHERE node = $1";
        return session.change(sql, node, url).mapEmpty();
    }

    /** Returns the node that started this step; empty for an unknown step. */
    public Future<Optional<String>> nodeOfStep(String runId, String stepId) {
        String sql = "SELECT o.node FROM events e JOIN ownership o ON o.run_id = e.run_id AND o.epoch = e.epoch"
                + " WHERE e.run_id = $1 AND e.type = 'step.started' AND e.step_id = $2"
                + " ORDER BY e.sequence DESC LIMIT 1";
        return session.first(sql, row -> row.getString(0), runId, stepId);
    }

    /** Returns the nodes that started steps of this run, without duplicates; the latest is last. */
    public Future<List<String>> nodesOfSteps(String runId) {
        String sql = "SELECT o.node FROM ownership o WHERE o.run_id = $1 AND EXISTS (SELECT 1 FROM events e"
                + " WHERE e.run_id = o.run_id AND e.epoch = o.epoch AND e.type = 'step.started')"
                + " GROUP BY o.node ORDER BY max(o.epoch)";
        return session.all(sql, row -> row.getString(0), runId);
    }

    /**
     * Takes a duty that no live node has, if this node is live with this incarnation. Returns whether this node has it.
     * Then all writes of the former holder are visible, and no more can follow.
     */
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

    /** Gives the duty back if this node has it under this incarnation. */
    public Future<Void> releaseDuty(String duty, String node, long incarnation) {
        String sql = "UPDATE duties SET node = NULL WHERE duty = $1 AND node = $2 AND incarnation = $3";
        return session.change(sql, duty, node, incarnation).mapEmpty();
    }

    /**
     * Takes all these signal files for a run of this node that is about to become active, or none of them if another
     * run uses one. An active run uses its files, whichever node owns it.
     *
     * @param sequence number of the run's last event; with the next one it is active, or does not use the files
     * @return the runs that use these files, by file; empty if the files were taken
     */
    public Future<Map<String, String>> takeSignalFiles(
            String runId, long sequence, Set<String> files, String node, long incarnation) {
        return changing(connection -> SignalFileTable.take(connection, runId, sequence, files, node, incarnation));
    }

    /** Releases the files that this node took for a run which has not become active. */
    public Future<Void> releaseSignalFiles(String runId, String node, long incarnation) {
        return session.enqueue(connection -> SignalFileTable.release(connection, runId, node, incarnation));
    }

    /** Returns letters and digits that identify this database among all databases. */
    public Future<String> identity() {
        String sql = "SELECT c.system_identifier::text || 'd' || d.oid::text FROM pg_control_system() c, pg_database d"
                + " WHERE d.datname = current_database()";
        return session.first(sql, row -> row.getString(0)).map(Optional::orElseThrow);
    }

    /** Closes the connection. */
    public Future<Void> close() {
        return session.close();
    }

    private <T> Future<T> changing(Function<SqlConnection, Future<T>> work) {
        return session.enqueue(
                connection -> PgStatements.transaction(connection, "BEGIN", () -> work.apply(connection)));
    }
}
