package dev.loopkeeper.store.sqlite;

import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.RunSelection;
import dev.loopkeeper.store.RunsAt;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@link EventStore#runsAt} by the queries of one transaction. */
final class SqliteSnapshot {
    private static final Comparator<RunsAt.RunAt> NEWEST_FIRST = Comparator.comparing(
                    (RunsAt.RunAt run) -> run.row().createdAt())
            .thenComparing(run -> run.row().runId())
            .reversed();

    private final SqliteReads reads;
    private final Map<String, RunsAt.RunAt> runs = new LinkedHashMap<>();

    SqliteSnapshot(SqliteReads reads) {
        this.reads = reads;
    }

    RunsAt of(RunSelection selection, Optional<Long> position) throws SQLException {
        if (selection.runIds().isEmpty()) {
            add(reads.ofStatuses(selection.statuses()), position);
            add(reads.newestBut(selection.statuses(), selection.newest()), position);
        } else {
            for (String runId : selection.runIds()) {
                add(reads.named(runId).stream().toList(), position);
            }
        }
        List<RunsAt.RunAt> found = runs.values().stream().sorted(NEWEST_FIRST).toList();
        return new RunsAt(reads.lastPosition(), found);
    }

    private void add(Collection<SqliteReads.Found> found, Optional<Long> position) throws SQLException {
        for (SqliteReads.Found run : found) {
            String runId = run.row().runId();
            long last = run.lastSequence();
            long then = position.isPresent() && last > 0 ? reads.sequenceAt(runId, position.get()) : last;
            if (then > 0 || last == 0) {
                runs.put(runId, new RunsAt.RunAt(run.row(), then, then == last));
            }
        }
    }
}
