package dev.loopkeeper.store.sqlite;

import dev.loopkeeper.store.GivenUp;
import dev.loopkeeper.store.OutboxCursor;
import dev.loopkeeper.store.OutboxState;
import dev.loopkeeper.store.OutboxTarget;
import dev.loopkeeper.store.RowChecksum;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The queries of the outbox, in one transaction. */
final class SqliteOutboxReads {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteOutboxReads.class);

    private final SqliteReads reads;

    SqliteOutboxReads(SqliteReads reads) {
        this.reads = reads;
    }

    Optional<OutboxState> state() throws SQLException {
        Optional<Long> position =
                reads.first("SELECT value FROM meta WHERE key = 'outbox'", row -> Long.parseLong(row.getString(1)));
        if (position.isEmpty()) {
            return Optional.empty();
        }
        String query = "SELECT run_id, notification, sequence, owed, tries, checksum FROM outbox WHERE owed > sequence";
        List<Optional<OutboxCursor>> owing = reads.all(query, SqliteOutboxReads::cursor);
        return Optional.of(new OutboxState(
                position.get(), owing.stream().flatMap(Optional::stream).toList()));
    }

    /** Without one that is damaged: the other targets are told all the same. */
    private static Optional<OutboxCursor> cursor(ResultSet row) throws SQLException {
        OutboxTarget target = new OutboxTarget(row.getString(1), row.getInt(2));
        OutboxCursor cursor = new OutboxCursor(target, row.getLong(3), row.getLong(4), row.getInt(5));
        if (checksum(cursor) != row.getLong(6)) {
            LOG.error("what {} is owed is damaged and not sent", target);
            return Optional.empty();
        }
        return Optional.of(cursor);
    }

    static long checksum(OutboxCursor cursor) {
        OutboxTarget target = cursor.target();
        return RowChecksum.of(target.runId(), target.notification(), cursor.sequence(), cursor.owed(), cursor.tries());
    }

    List<GivenUp> givenUp(String runId) throws SQLException {
        String query = "SELECT notification, sequence, tries, reason, at FROM outbox_given_up WHERE run_id = ?"
                + " ORDER BY sequence, notification";
        return reads.all(
                query,
                row -> new GivenUp(
                        new OutboxTarget(runId, row.getInt(1)),
                        row.getLong(2),
                        row.getInt(3),
                        row.getString(4),
                        Instant.parse(row.getString(5))),
                runId);
    }
}
