package dev.loopkeeper.store.sqlite;

import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.AppendEvents;
import dev.loopkeeper.store.Appended;
import dev.loopkeeper.store.KeyTakenException;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StaleAppendException;
import dev.loopkeeper.store.StoredEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** The statements that change the store, for the one thread that writes. Inside a transaction of {@link GroupCommit}. */
final class SqliteWrites {
    private static final String PUT_RUN =
            "INSERT INTO runs (name, status, created_at, updated_at, epoch, last_sequence,"
                    + " view, checksum, run_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run_id) DO UPDATE SET"
                    + " name = excluded.name, status = excluded.status, created_at = excluded.created_at,"
                    + " updated_at = excluded.updated_at, epoch = excluded.epoch, last_sequence = excluded.last_sequence,"
                    + " view = excluded.view, checksum = excluded.checksum";
    /** Leaves the columns of the indexes alone, as most appends do. */
    private static final String UPDATE_RUN =
            "UPDATE runs SET updated_at = ?, epoch = ?, last_sequence = ?, view = ?, checksum = ? WHERE run_id = ?";

    private static final String PUT_EVENT = "INSERT INTO events (position, run_id, sequence, at, type, execution, data,"
            + " checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    /** The one before the newest stays, to load from should the newest be damaged. */
    private static final String DROP_OLD_SNAPSHOTS = "DELETE FROM snapshots WHERE run_id = ? AND sequence <"
            + " (SELECT sequence FROM snapshots WHERE run_id = ? ORDER BY sequence DESC LIMIT 1 OFFSET 1)";

    private final Connection connection;
    private final StoreProbe probe;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    private long position;
    private long changes;

    /** For a connection outside any transaction; to be dropped with it when a transaction is rolled back. */
    SqliteWrites(Connection connection, StoreProbe probe) throws SQLException {
        this.connection = connection;
        this.probe = probe;
        this.position = lastPosition();
    }

    /** How many statements have changed something. */
    long changes() {
        return changes;
    }

    /** Refusals come before the first change. */
    Appended append(AppendEvents append) throws SQLException {
        boolean sameKind = refuseStale(append);
        if (append.idempotencyKey().isPresent()) {
            refuseTaken(append.idempotencyKey().get(), append.runId());
        }
        String updatedAt = "";
        for (StoredEvent event : append.events()) {
            updatedAt = StoredText.of(event.at());
            position++;
            putEvent(event);
        }
        putRun(append, updatedAt, sameKind);
        if (append.snapshot().isPresent()) {
            putSnapshot(append, append.snapshot().get());
        }
        if (append.idempotencyKey().isPresent()) {
            putKey(append.idempotencyKey().get(), append.runId());
        }
        return new Appended(position);
    }

    Void addReceipt(String runId, String receipt) throws SQLException {
        probe.before(StoreProbe.Point.RECEIPT);
        change(
                "INSERT INTO receipts (run_id, receipt, checksum) VALUES (?, ?, ?)",
                runId,
                receipt,
                RowChecksum.of(runId, receipt));
        return null;
    }

    /** Changes nothing, but writes. */
    Void touch() throws SQLException {
        change("UPDATE meta SET value = value WHERE key = 'format'");
        return null;
    }

    /** Whether it was there and had ended; nothing else is removed. */
    boolean removeIfEnded(String runId) throws SQLException {
        try (ResultSet row =
                statement("SELECT status FROM runs WHERE run_id = ?", runId).executeQuery()) {
            if (!row.next() || !RunStatus.ENDED.contains(row.getString(1))) {
                return false;
            }
        }
        for (String table : new String[] {"events", "snapshots", "receipts", "idempotency_keys", "runs"}) {
            change("DELETE FROM " + table + " WHERE run_id = ?", runId);
        }
        // What is still owed stays, so that whoever delivers can say that it will not come.
        change("DELETE FROM outbox WHERE run_id = ? AND owed <= sequence", runId);
        change("DELETE FROM outbox_given_up WHERE run_id = ?", runId);
        return true;
    }

    /** A prepared statement with these values, kept for the next time. */
    PreparedStatement statement(String sql, Object... values) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        for (int column = 0; column < values.length; column++) {
            statement.setObject(column + 1, values[column]);
        }
        return statement;
    }

    /** Answers whether the run is there with the same name, status and time of creation. */
    private boolean refuseStale(AppendEvents append) throws SQLException {
        long sequence = 0;
        long epoch = 0;
        boolean sameKind = false;
        String query = "SELECT last_sequence, epoch, name, status, created_at FROM runs WHERE run_id = ?";
        try (ResultSet row = statement(query, append.runId()).executeQuery()) {
            if (row.next()) {
                sequence = row.getLong(1);
                epoch = row.getLong(2);
                sameKind = row.getString(3).equals(append.row().name())
                        && row.getString(4).equals(append.row().status())
                        && row.getString(5).equals(StoredText.of(append.row().createdAt()));
            }
        }
        if (epoch > append.epoch()) {
            throw StaleAppendException.fenced(append.runId(), append.epoch(), epoch, sequence);
        }
        if (sequence != append.expectedSequence()) {
            throw new StaleAppendException(append.runId(), append.expectedSequence(), sequence);
        }
        return sameKind;
    }

    private long lastPosition() throws SQLException {
        String query = "SELECT seq FROM sqlite_sequence WHERE name = 'events'";
        try (ResultSet row = statement(query).executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    private void putEvent(StoredEvent event) throws SQLException {
        probe.before(StoreProbe.Point.EVENT);
        String at = event.at().toString();
        String data = StoredText.of(event.data());
        long checksum =
                RowChecksum.of(position, event.runId(), event.sequence(), at, event.type(), event.execution(), data);
        change(
                PUT_EVENT,
                position,
                event.runId(),
                event.sequence(),
                at,
                event.type(),
                event.execution(),
                data,
                checksum);
    }

    private void putRun(AppendEvents append, String updatedAt, boolean sameKind) throws SQLException {
        probe.before(StoreProbe.Point.RUN);
        RunRow row = append.row();
        long last = append.expectedSequence() + append.events().size();
        String createdAt = StoredText.of(row.createdAt());
        String view = StoredText.of(row.view());
        long checksum =
                RowChecksum.of(row.name(), row.status(), createdAt, updatedAt, append.epoch(), last, view, row.runId());
        if (sameKind) {
            change(UPDATE_RUN, updatedAt, append.epoch(), last, view, checksum, row.runId());
        } else {
            change(
                    PUT_RUN,
                    row.name(),
                    row.status(),
                    createdAt,
                    updatedAt,
                    append.epoch(),
                    last,
                    view,
                    checksum,
                    row.runId());
        }
    }

    private void putSnapshot(AppendEvents append, String state) throws SQLException {
        probe.before(StoreProbe.Point.SNAPSHOT);
        long sequence = append.expectedSequence() + append.events().size();
        long checksum = RowChecksum.of(append.runId(), sequence, state);
        change(
                "INSERT INTO snapshots (run_id, sequence, state, checksum) VALUES (?, ?, ?, ?)",
                append.runId(),
                sequence,
                state,
                checksum);
        change(DROP_OLD_SNAPSHOTS, append.runId(), append.runId());
    }

    private void putKey(String key, String runId) throws SQLException {
        probe.before(StoreProbe.Point.KEY);
        change("INSERT INTO idempotency_keys (key, run_id) VALUES (?, ?) ON CONFLICT (key) DO NOTHING", key, runId);
    }

    private void refuseTaken(String key, String runId) throws SQLException {
        try (ResultSet row = statement("SELECT run_id FROM idempotency_keys WHERE key = ?", key)
                .executeQuery()) {
            if (row.next() && !row.getString(1).equals(runId)) {
                throw new KeyTakenException(key, row.getString(1));
            }
        }
    }

    void change(String sql, Object... values) throws SQLException {
        changes++;
        statement(sql, values).executeUpdate();
    }
}
