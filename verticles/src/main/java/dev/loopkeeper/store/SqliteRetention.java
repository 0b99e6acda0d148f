package dev.loopkeeper.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Removes runs that have ended; statements for the thread that writes. */
final class SqliteRetention {
    private static final String ENDED =
            EventStore.ENDED.stream().sorted().collect(Collectors.joining("', '", "status IN ('", "')"));

    private SqliteRetention() {}

    static boolean delete(SqliteWrites writes, String runId) throws SQLException {
        List<String> found = ids(writes, "SELECT run_id FROM runs WHERE run_id = ? AND " + ENDED, runId);
        for (String ended : found) {
            writes.removeRun(ended);
        }
        return !found.isEmpty();
    }

    static List<String> prune(SqliteWrites writes, Instant before, int keep) throws SQLException {
        String old = "SELECT run_id FROM runs WHERE " + ENDED + " AND updated_at < ? AND run_id NOT IN"
                + " (SELECT run_id FROM runs WHERE " + ENDED + " ORDER BY created_at DESC, run_id DESC LIMIT ?)";
        List<String> found = ids(writes, old, StoredText.of(before), keep);
        for (String ended : found) {
            writes.removeRun(ended);
        }
        return List.copyOf(found);
    }

    private static List<String> ids(SqliteWrites writes, String query, Object... values) throws SQLException {
        List<String> found = new ArrayList<>();
        try (ResultSet rows = writes.statement(query, values).executeQuery()) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        return found;
    }
}
