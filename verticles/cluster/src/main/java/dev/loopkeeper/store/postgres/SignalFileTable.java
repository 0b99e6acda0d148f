package dev.loopkeeper.store.postgres;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The table of signal files with the run that took each of them last. */
final class SignalFileTable {
    static final String ACTIVE = "status IN ('running', 'waiting', 'stopping')";

    /**
     * Whether the run of row {@code f} uses the file: it is active, or its node, which still has the lease under which
     * it took the file, has not stored the run's next event yet. A statement may read {@code runs} and {@code nodes} as
     * they were before the row was written; hence the comparisons by order, which then say that the file is in use.
     */
    private static final String IN_USE = "(EXISTS (SELECT 1 FROM runs r WHERE r.run_id = f.run_id AND r." + ACTIVE
            + ") OR (NOT EXISTS (SELECT 1 FROM runs r WHERE r.run_id = f.run_id AND r.last_sequence > f.sequence)"
            + " AND NOT EXISTS (SELECT 1 FROM nodes n WHERE n.node = f.node AND (n.incarnation > f.incarnation"
            + " OR (n.incarnation = f.incarnation AND n.state <> 'live')))))";

    /** Locks rows in one order, to avoid deadlocks. */
    private static final String TAKE = "INSERT INTO signal_files AS f (file, run_id, sequence, node, incarnation)"
            + " SELECT t.file, $2::text, $3::bigint, $4::text, $5::bigint FROM unnest($1::text[]) AS t (file)"
            + " ORDER BY t.file COLLATE \"C\" ON CONFLICT (file) DO UPDATE SET run_id = excluded.run_id,"
            + " sequence = excluded.sequence, node = excluded.node, incarnation = excluded.incarnation"
            + " WHERE CASE WHEN f.run_id = excluded.run_id THEN f.sequence <= excluded.sequence ELSE NOT " + IN_USE
            + " END";

    private static final String OTHERS = "SELECT file, run_id FROM signal_files WHERE file = ANY($1) AND run_id <> $2";

    private static final String RELEASE = "DELETE FROM signal_files f WHERE f.run_id = $1 AND f.node = $2"
            + " AND f.incarnation = $3 AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.run_id = f.run_id AND (r." + ACTIVE
            + " OR r.last_sequence > f.sequence))";

    private SignalFileTable() {}

    /** See {@link RunOwners#takeSignalFiles}. To be executed in a transaction. */
    static Future<Map<String, String>> take(
            SqlConnection connection, String runId, long sequence, Set<String> files, String node, long incarnation) {
        String[] names = PgStatements.texts(files);
        return PgStatements.change(connection, TAKE, names, runId, sequence, node, incarnation)
                .compose(taken -> others(connection, names, runId))
                .compose(others -> others.isEmpty()
                        ? Future.succeededFuture(others)
                        : release(connection, runId, node, incarnation).map(others));
    }

    private static Future<Map<String, String>> others(SqlConnection connection, String[] names, String runId) {
        Future<List<Map.Entry<String, String>>> rows = PgStatements.all(
                connection, OTHERS, row -> Map.entry(row.getString(0), row.getString(1)), names, runId);
        return rows.map(found -> found.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /** See {@link RunOwners#releaseSignalFiles}. */
    static Future<Void> release(SqlConnection connection, String runId, String node, long incarnation) {
        return PgStatements.change(connection, RELEASE, runId, node, incarnation)
                .mapEmpty();
    }
}
