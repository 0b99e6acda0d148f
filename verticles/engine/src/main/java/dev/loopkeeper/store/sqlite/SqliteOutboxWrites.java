package dev.loopkeeper.store.sqlite;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.store.GivenUp;
import dev.loopkeeper.store.OutboxCursor;
import dev.loopkeeper.store.OutboxState;
import dev.loopkeeper.store.OutboxTarget;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The statements that change the outbox, inside a transaction of {@link GroupCommit}. */
final class SqliteOutboxWrites {
    private final SqliteWrites writes;

    SqliteOutboxWrites(SqliteWrites writes) {
        this.writes = writes;
    }

    Void begin(OutboxState start) throws SQLException {
        try (ResultSet begun =
                writes.statement("SELECT 1 FROM meta WHERE key = 'outbox'").executeQuery()) {
            if (begun.next()) {
                return null;
            }
        }
        owe(start.position(), start.owing());
        return null;
    }

    @CanIgnoreReturnValue
    List<OutboxCursor> owe(long position, List<OutboxCursor> owed) throws SQLException {
        List<OutboxCursor> now = new ArrayList<>();
        for (OutboxCursor cursor : owed) {
            OutboxCursor known = find(cursor.target()).orElse(cursor);
            long newest = Math.max(known.owed(), cursor.owed());
            now.add(new OutboxCursor(cursor.target(), known.sequence(), newest, known.tries()));
            put(now.get(now.size() - 1));
        }
        writes.change(
                "INSERT INTO meta VALUES ('outbox', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                Long.toString(position));
        return now;
    }

    Void tried(OutboxCursor after, Optional<GivenUp> givenUp) throws SQLException {
        OutboxTarget target = after.target();
        if (!isKept(target.runId())) {
            writes.change(
                    "DELETE FROM outbox WHERE run_id = ? AND notification = ?", target.runId(), target.notification());
            return null;
        }
        Optional<OutboxCursor> known = find(target);
        if (known.isPresent() && known.get().sequence() <= after.sequence()) {
            long owed = Math.max(known.get().owed(), after.owed());
            put(new OutboxCursor(target, after.sequence(), owed, after.tries()));
        }
        if (givenUp.isPresent()) {
            GivenUp delivery = givenUp.get();
            writes.change(
                    "INSERT INTO outbox_given_up (run_id, notification, sequence, tries, reason, at)"
                            + " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                    target.runId(),
                    target.notification(),
                    delivery.sequence(),
                    delivery.tries(),
                    delivery.reason(),
                    delivery.at().toString());
        }
        return null;
    }

    private boolean isKept(String runId) throws SQLException {
        try (ResultSet run =
                writes.statement("SELECT 1 FROM runs WHERE run_id = ?", runId).executeQuery()) {
            return run.next();
        }
    }

    private Optional<OutboxCursor> find(OutboxTarget target) throws SQLException {
        String query = "SELECT sequence, owed, tries FROM outbox WHERE run_id = ? AND notification = ?";
        try (ResultSet row =
                writes.statement(query, target.runId(), target.notification()).executeQuery()) {
            return row.next()
                    ? Optional.of(new OutboxCursor(target, row.getLong(1), row.getLong(2), row.getInt(3)))
                    : Optional.empty();
        }
    }

    private void put(OutboxCursor cursor) throws SQLException {
        writes.change(
                "INSERT INTO outbox (run_id, notification, sequence, owed, tries, checksum) VALUES (?, ?, ?, ?, ?, ?)"
                        + " ON CONFLICT (run_id, notification) DO UPDATE SET sequence = excluded.sequence,"
                        + " owed = excluded.owed, tries = excluded.tries, checksum = excluded.checksum",
                cursor.target().runId(),
                cursor.target().notification(),
                cursor.sequence(),
                cursor.owed(),
                cursor.tries(),
                SqliteOutboxReads.checksum(cursor));
    }
}
