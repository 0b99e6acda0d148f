package dev.loopkeeper.store.sqlite;

import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.KeyTakenException;
import dev.loopkeeper.store.RowChecksum;
import dev.loopkeeper.store.StaleAppendException;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.sql.EncodedAppend;
import dev.loopkeeper.store.sql.SqlRow;
import dev.loopkeeper.store.sql.StoreConnection;
import dev.loopkeeper.work.BoundedMap;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Statements of the writer thread, within a transaction of {@link GroupCommit}. */
final class SqliteWrites {
    /**
     * Counts all events and receipts ever written: rises with each transaction that writes one, also after removals.
     */
    static final String NUMBERS_GIVEN = "SELECT sum(seq) FROM sqlite_sequence";

    private static final String LAST_POSITION = "SELECT seq FROM sqlite_sequence WHERE name = 'events'";

    private static final String PUT_RUN =
            "INSERT INTO runs (name, status, created_at, updated_at, epoch, last_sequence,"
                    + " view, checksum, run_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run_id) DO UPDATE SET"
                    + " name = excluded.name, status = excluded.status, created_at = excluded.created_at,"
                    + " updated_at = excluded.updated_at, epoch = excluded.epoch, last_sequence = excluded.last_sequence,"
                    + " view = excluded.view, checksum = excluded.checksum";

    private static final String INSERT_EVENT =
            "INSERT INTO events (position, run_id, sequence, at, type, execution, data, checksum, step_id)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    /** Leaves indexed columns unchanged, which suffices for most appends. */
    private static final String UPDATE_RUN =
            "UPDATE runs SET updated_at = ?, epoch = ?, last_sequence = ?, view = ?, checksum = ? WHERE run_id = ?";

    /** Keeps the second newest snapshot, in case the newest is damaged. */
    private static final String DROP_OLD_SNAPSHOTS = "DELETE FROM snapshots WHERE run_id = ? AND sequence <"
            + " (SELECT sequence FROM snapshots WHERE run_id = ? ORDER BY sequence DESC LIMIT 1 OFFSET 1)";

    private static final String PUT_USAGE = "INSERT INTO reported_usage (position, at_ms, name, workspace, cost,"
            + " estimated, tokens, unknown_steps) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";

    private static final int REMEMBERED = 10_000;

    /** The stored state that an append is compared with. */
    private record Head(long sequence, long epoch, String name, String status, String createdAt) {
        private static final Head NONE = new Head(0, 0, "", "", "");

        static Head after(EncodedAppend append) {
            EncodedAppend.Row row = append.row();
            return new Head(append.last(), append.epoch(), row.name(), row.status(), row.createdAt());
        }

        boolean isLike(EncodedAppend.Row row) {
            return row.name().equals(name)
                    && row.status().equals(status)
                    && row.createdAt().equals(createdAt);
        }
    }

    private final Connection connection;
    private final StoreProbe probe;
    /** Those that change something, each prepared once. */
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    private final SqliteConnection shared;
    /** Runs as they are after the writes of this transaction. */
    private final Map<String, Head> heads = BoundedMap.byUse(REMEMBERED);

    private long seenVersion;
    private long position;
    private long changes;
    private long numbersBefore;
    private long numbersGiven;

    /** Requires a connection outside a transaction. Discard both after a rollback. */
    SqliteWrites(Connection connection, StoreFailures failures, StoreProbe probe) throws SQLException {
        this.connection = connection;
        this.probe = probe;
        this.shared = new SqliteConnection(connection, failures) {
            @Override
            public Future<Void> change(String sql, Object... values) {
                changes++;
                return super.change(sql, values);
            }
        };
        this.position = number(LAST_POSITION);
    }

    /** Returns how many statements have changed something. */
    long changes() {
        return changes;
    }

    /** Returns the connection for statements shared by all databases. */
    StoreConnection connection() {
        return shared;
    }

    /** Refuses before the first change. */
    Appended append(EncodedAppend append) throws SQLException {
        boolean sameKind = refuseStale(append);
        if (append.idempotencyKey().isPresent()) {
            refuseTaken(append.idempotencyKey().get(), append.runId());
        }
        for (EncodedAppend.Event event : append.events()) {
            probe.before(StoreProbe.Point.EVENT);
            position++;
            numbersGiven++;
            change(
                    INSERT_EVENT,
                    position,
                    event.runId(),
                    event.sequence(),
                    event.at(),
                    event.type(),
                    event.execution(),
                    event.data(),
                    RowChecksum.of(position, event.counted()),
                    event.stepId());
        }
        if (append.used().isPresent()) {
            putUsed(append.used().get(), append.row().name());
        }
        putRun(append, sameKind);
        if (append.snapshot().isPresent()) {
            putSnapshot(append.snapshot().get());
        }
        if (append.idempotencyKey().isPresent()) {
            putKey(append.idempotencyKey().get(), append.runId());
        }
        heads.put(append.runId(), Head.after(append));
        return new Appended(position);
    }

    private void putUsed(EncodedAppend.Used used, String name) throws SQLException {
        change(
                PUT_USAGE,
                position,
                used.atMs(),
                name,
                used.workspace(),
                used.cost(),
                used.estimated(),
                used.tokens(),
                used.unknownSteps());
    }

    /** Call after BEGIN. Cached heads are valid until another connection writes. */
    void begin() throws SQLException {
        numbersGiven = 0;
        numbersBefore = number(NUMBERS_GIVEN);
        long version = number("PRAGMA data_version");
        if (version != seenVersion) {
            seenVersion = version;
            heads.clear();
            position = number(LAST_POSITION);
        }
    }

    /** Returns {@link #NUMBERS_GIVEN} before this transaction. */
    long numbersBefore() {
        return numbersBefore;
    }

    /** Returns the same after its commit. */
    long numbersAfter() {
        return numbersBefore + numbersGiven;
    }

    /** Does nothing if the run or its event does not exist. */
    Void addSnapshot(EncodedAppend.Snapshot snapshot) throws SQLException {
        if (head(snapshot.runId()).sequence() >= snapshot.sequence()) {
            putSnapshot(snapshot);
        }
        return null;
    }

    Void addReceipt(String runId, String receipt) throws SQLException {
        probe.before(StoreProbe.Point.RECEIPT);
        numbersGiven++;
        change(
                "INSERT INTO receipts (run_id, receipt, checksum) VALUES (?, ?, ?)",
                runId,
                receipt,
                RowChecksum.of(runId, receipt));
        return null;
    }

    /** Writes without a change. */
    Void touch() throws SQLException {
        change("UPDATE meta SET value = value");
        return null;
    }

    /** Returns whether the run existed and had ended; otherwise removes nothing. */
    boolean removeIfEnded(String runId) throws SQLException {
        heads.remove(runId);
        if (first("SELECT status FROM runs WHERE run_id = ?", row -> row.text(0), runId)
                .filter(RunStatus.ENDED::contains)
                .isEmpty()) {
            return false;
        }
        for (String table : new String[] {"events", "snapshots", "receipts", "idempotency_keys", "runs"}) {
            change("DELETE FROM " + table + " WHERE run_id = ?", runId);
        }
        // Keeps pending deliveries, so that the notifier can record that they are cancelled.
        change("DELETE FROM outbox WHERE run_id = ? AND newest_pending <= sequence", runId);
        return true;
    }

    /** Returns whether the run exists with the same name, status and creation time. */
    private boolean refuseStale(EncodedAppend append) throws SQLException {
        Head head = head(append.runId());
        if (head.epoch() > append.epoch()) {
            throw StaleAppendException.fenced(append.runId(), append.epoch(), head.epoch());
        }
        if (head.sequence() != append.expectedSequence()) {
            throw new StaleAppendException(append.runId(), append.expectedSequence(), head.sequence());
        }
        return head.isLike(append.row());
    }

    private Head head(String runId) throws SQLException {
        Head known = heads.get(runId);
        if (known != null) {
            return known;
        }
        String query = "SELECT last_sequence, epoch, name, status, created_at FROM runs WHERE run_id = ?";
        return first(query, row -> new Head(row.number(0), row.number(1), row.text(2), row.text(3), row.text(4)), runId)
                .orElse(Head.NONE);
    }

    private void putRun(EncodedAppend append, boolean sameKind) throws SQLException {
        probe.before(StoreProbe.Point.RUN);
        EncodedAppend.Row row = append.row();
        if (sameKind) {
            change(
                    UPDATE_RUN,
                    row.updatedAt(),
                    append.epoch(),
                    append.last(),
                    row.view(),
                    row.checksum(),
                    append.runId());
        } else {
            change(
                    PUT_RUN,
                    row.name(),
                    row.status(),
                    row.createdAt(),
                    row.updatedAt(),
                    append.epoch(),
                    append.last(),
                    row.view(),
                    row.checksum(),
                    append.runId());
        }
    }

    private void putSnapshot(EncodedAppend.Snapshot snapshot) throws SQLException {
        probe.before(StoreProbe.Point.SNAPSHOT);
        change(
                "INSERT OR REPLACE INTO snapshots (run_id, sequence, state, checksum) VALUES (?, ?, ?, ?)",
                snapshot.runId(),
                snapshot.sequence(),
                snapshot.state(),
                snapshot.checksum());
        change(DROP_OLD_SNAPSHOTS, snapshot.runId(), snapshot.runId());
    }

    private void putKey(String key, String runId) throws SQLException {
        probe.before(StoreProbe.Point.KEY);
        change("INSERT INTO idempotency_keys (key, run_id) VALUES (?, ?) ON CONFLICT (key) DO NOTHING", key, runId);
    }

    private void refuseTaken(String key, String runId) throws SQLException {
        Optional<String> other = first("SELECT run_id FROM idempotency_keys WHERE key = ?", row -> row.text(0), key)
                .filter(known -> !known.equals(runId));
        if (other.isPresent()) {
            throw new KeyTakenException(key, other.get());
        }
    }

    private <T> Optional<T> first(String query, Function<SqlRow, T> reader, Object... values) throws SQLException {
        return SqliteConnection.result(shared.first(query, reader, values));
    }

    /** Returns the number that this query finds, or 0. */
    private long number(String query) throws SQLException {
        return first(query, row -> row.number(0)).orElse(0L);
    }

    private void change(String sql, Object... values) throws SQLException {
        changes++;
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            statements.put(sql, statement);
        }
        SqliteConnection.withValues(statement, values).executeUpdate();
    }
}
