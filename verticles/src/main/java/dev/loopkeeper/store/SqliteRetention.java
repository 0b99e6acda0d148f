package dev.loopkeeper.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Removes runs that have ended; for the thread that writes. */
final class SqliteRetention {
    private SqliteRetention() {}

    /** Removes those of these runs that have ended, and answers which they were. */
    static List<String> delete(SqliteWrites writes, List<String> runIds) throws SQLException {
        List<String> removed = new ArrayList<>();
        for (String runId : runIds) {
            if (hasEnded(writes, runId)) {
                writes.removeRun(runId);
                removed.add(runId);
            }
        }
        return List.copyOf(removed);
    }

    private static boolean hasEnded(SqliteWrites writes, String runId) throws SQLException {
        String query = "SELECT status FROM runs WHERE run_id = ?";
        try (ResultSet row = writes.statement(query, runId).executeQuery()) {
            return row.next() && EventStore.ENDED.contains(row.getString(1));
        }
    }
}
