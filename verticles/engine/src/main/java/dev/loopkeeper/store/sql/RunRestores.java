package dev.loopkeeper.store.sql;

import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.RowChecksum;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.StoredRun;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Restores a run from its newest intact snapshot and the events after it. Requires a snapshot of the database. */
record RunRestores(StoreConnection connection, EventReader events) {
    private static final Logger LOG = LoggerFactory.getLogger(RunRestores.class);
    /** Limits a part, because PostgreSQL sums the bytes of all its rows first. */
    private static final long RESTORED_ROWS = 5000;

    /** Returns the run as it was at this sequence. */
    Future<Optional<StoredRun>> restore(RunReader.Found run, long sequence) {
        String runId = run.row().runId();
        return newestIntact(runId, sequence).compose(snapshot -> {
            long since = snapshot.map(Snapshot::sequence).orElse(0L);
            // Reads one more than expected, to detect surplus events.
            long end = sequence == run.lastSequence() ? sequence + 1 : sequence;
            StoredRun begun = new StoredRun(run.row(), snapshot.map(Snapshot::state), since, List.of());
            return restored(begun, sequence, end).map(Optional::of);
        });
    }

    /** Reads further events in bounded parts. */
    private Future<StoredRun> restored(StoredRun before, long sequence, long end) {
        String runId = before.row().runId();
        long since = before.sequence();
        BoundedSelect piece = new BoundedSelect(
                EventReader.LARGE,
                EventReader.COLUMNS,
                "events WHERE run_id = ? AND sequence > ?",
                "sequence",
                true,
                List.of(runId, since, Math.min(RESTORED_ROWS, end - since)),
                StoredRun.MOST_BYTES);
        return connection.bounded(piece, events::event).compose(found -> {
            List<StoredEvent> next = events.inOrder(runId, since, found.rows()).stream()
                    .map(PositionedEvent::event)
                    .toList();
            StoredRun read = before.followedBy(next);
            if (read.sequence() < sequence && !next.isEmpty()) {
                return restored(read, sequence, end);
            }
            if (read.sequence() != sequence) {
                throw connection.dialect().damaged("the end of run " + runId);
            }
            return Future.succeededFuture(read);
        });
    }

    private Future<Optional<Snapshot>> newestIntact(String runId, long most) {
        String sql = "SELECT sequence, state, checksum FROM snapshots WHERE run_id = ? AND sequence <= ?"
                + " ORDER BY sequence DESC";
        return connection
                .all(sql, row -> snapshot(runId, row), runId, most)
                .map(found -> found.stream().flatMap(Optional::stream).findFirst());
    }

    private static Optional<Snapshot> snapshot(String runId, SqlRow row) {
        Snapshot snapshot = new Snapshot(row.number(0), row.text(1));
        if (RowChecksum.of(runId, snapshot.sequence(), snapshot.state()) != row.number(2)) {
            LOG.error("snapshot {} of run {} is damaged; its events are read instead", snapshot.sequence(), runId);
            return Optional.empty();
        }
        return Optional.of(snapshot);
    }

    private record Snapshot(long sequence, String state) {}
}
