package dev.loopkeeper.store.sqlite;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.EventQuery;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.RowChecksum;
import dev.loopkeeper.store.RunCursor;
import dev.loopkeeper.store.RunPage;
import dev.loopkeeper.store.RunQuery;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.StoredRun;
import dev.loopkeeper.store.StoredText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The queries of the store. Every row is compared with its checksum; one thread at a time. */
final class SqliteReads {
    /** Never lowered, also where runs are removed. */
    static final String NUMBERS_GIVEN = "SELECT sum(seq) FROM sqlite_sequence";

    private static final Logger LOG = LoggerFactory.getLogger(SqliteReads.class);
    private static final String RUN =
            "SELECT run_id, name, status, created_at, updated_at, epoch, last_sequence, view," + " checksum FROM runs";
    private static final String EVENT =
            "SELECT position, run_id, sequence, at, type, execution, data, checksum FROM events";

    /** Greater than whatever a run's id may hold. */
    private static final String ABOVE_IDS = "~";

    private final Connection connection;
    private final StoreTrouble trouble;
    /** Of events and run objects, by the statement that is read now or was read last. */
    private long bytesRead;

    SqliteReads(Connection connection, StoreTrouble trouble) {
        this.connection = connection;
        this.trouble = trouble;
    }

    List<PositionedEvent> events(String runId, long since, int limit) throws SQLException {
        return events(runId, since, limit, EventStore.READ_BYTES);
    }

    private List<PositionedEvent> events(String runId, long since, int limit, long mostBytes) throws SQLException {
        String query = EVENT + " WHERE run_id = ? AND sequence > ? ORDER BY sequence LIMIT ?";
        List<PositionedEvent> found = read(mostBytes, query, this::event, runId, since, limit);
        for (int index = 0; index < found.size(); index++) {
            if (found.get(index).event().sequence() != since + index + 1) {
                throw trouble.damaged("event " + (since + index + 1) + " of run " + runId);
            }
        }
        return found;
    }

    /** Read along the index of the run; what is left out is neither parsed nor compared with its checksum. */
    List<PositionedEvent> events(EventQuery query) throws SQLException {
        StringBuilder sql = new StringBuilder(EVENT).append(" WHERE run_id = ? AND sequence > ? AND sequence < ?");
        List<Object> values = new ArrayList<>(List.of(query.runId(), query.after(), query.before()));
        if (!query.types().isEmpty()) {
            String marks = String.join(", ", Collections.nCopies(query.types().size(), "?"));
            sql.append(" AND type IN (").append(marks).append(')');
            values.addAll(query.types());
        }
        query.naming().ifPresent(name -> {
            sql.append(" AND instr(data, ?) > 0");
            values.add(TextNode.valueOf(name).toString());
        });
        sql.append(query.newestFirst() ? " ORDER BY sequence DESC" : " ORDER BY sequence");
        query.limit().ifPresent(limit -> {
            sql.append(" LIMIT ?");
            values.add(limit);
        });
        return read(EventStore.READ_BYTES, sql.toString(), this::event, values.toArray());
    }

    /** A damaged event is left out and logged: the feed of all other runs goes on. */
    List<PositionedEvent> eventsAfter(long position, int limit) throws SQLException {
        String query = EVENT + " WHERE position > ? ORDER BY position LIMIT ?";
        List<Optional<PositionedEvent>> found = read(EventStore.READ_BYTES, query, this::soundEvent, position, limit);
        return found.stream().flatMap(Optional::stream).toList();
    }

    long lastPosition() throws SQLException {
        String query = "SELECT seq FROM sqlite_sequence WHERE name = 'events'";
        return first(query, row -> row.getLong(1)).orElse(0L);
    }

    /** How many events and receipts were ever written: rises with each transaction that writes one. */
    long numbersGiven() throws SQLException {
        return first(NUMBERS_GIVEN, row -> row.getLong(1)).orElse(0L);
    }

    Optional<RunRow> find(String runId) throws SQLException {
        return first(RUN + " WHERE run_id = ?", this::run, runId).map(Found::row);
    }

    Optional<StoredRun> load(String runId) throws SQLException {
        Optional<Found> found = first(RUN + " WHERE run_id = ?", this::run, runId);
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(restore(found.get(), found.get().lastSequence()));
    }

    /** The run after one of its events, with its present row. */
    Optional<StoredRun> loadAt(String runId, long sequence) throws SQLException {
        Optional<Found> found = first(RUN + " WHERE run_id = ?", this::run, runId);
        boolean reached = found.filter(run -> sequence >= 1 && run.lastSequence() >= sequence)
                .isPresent();
        return reached ? Optional.of(restore(found.get(), sequence)) : Optional.empty();
    }

    /** Of these statuses; each with its last sequence, 0 for a damaged one. */
    List<Found> ofStatuses(Collection<String> statuses) throws SQLException {
        String marks = String.join(", ", Collections.nCopies(statuses.size(), "?"));
        return all(RUN + " WHERE status IN (" + marks + ")", this::listed, statuses.toArray());
    }

    /** The newest of other statuses, as many as a page of a list may hold. */
    List<Found> newestBut(Collection<String> statuses, int limit) throws SQLException {
        String marks = String.join(", ", Collections.nCopies(statuses.size(), "?"));
        List<Object> values = new ArrayList<>(statuses);
        values.add(limit);
        return read(
                EventStore.LIST_BYTES,
                RUN + " WHERE status NOT IN (" + marks + ") ORDER BY created_at DESC, run_id DESC LIMIT ?",
                this::listed,
                values.toArray());
    }

    Optional<Found> named(String runId) throws SQLException {
        return first(RUN + " WHERE run_id = ?", this::listed, runId);
    }

    /** The run's newest event up to this position; 0 when it has none. */
    long sequenceAt(String runId, long position) throws SQLException {
        String query = "SELECT sequence FROM events WHERE run_id = ? AND position <= ? ORDER BY sequence DESC LIMIT 1";
        return first(query, row -> row.getLong(1), runId, position).orElse(0L);
    }

    RunPage list(RunQuery query) throws SQLException {
        List<Object> values = new ArrayList<>();
        List<String> conditions = new ArrayList<>();
        if (!query.statuses().isEmpty()) {
            String marks =
                    String.join(", ", Collections.nCopies(query.statuses().size(), "?"));
            conditions.add("status IN (" + marks + ")");
            values.addAll(query.statuses());
        }
        if (query.cursor().isPresent()) {
            RunCursor last = RunCursor.parse(query.cursor().get());
            conditions.add("(created_at, run_id) < (?, ?)");
            Collections.addAll(values, last.createdAt(), last.runId());
        }
        query.prefix().ifPresent(prefix -> {
            conditions.add("run_id >= ? AND run_id < ?");
            Collections.addAll(values, prefix, prefix + ABOVE_IDS);
        });
        query.text().ifPresent(text -> {
            conditions.add("(instr(lower(run_id), lower(?)) OR instr(lower(name), lower(?)))");
            Collections.addAll(values, text, text);
        });
        String where = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
        values.add(query.limit() + 1);
        String sql = RUN + where + " ORDER BY created_at DESC, run_id DESC LIMIT ?";
        return page(read(EventStore.LIST_BYTES, sql, this::listed, values.toArray()), query.limit());
    }

    /** Ended runs that are older, without those that were created last. */
    List<RunRow> endedBefore(Instant before, int keep) throws SQLException {
        String ended = RunStatus.ENDED.stream().sorted().collect(Collectors.joining("', '", "status IN ('", "')"));
        String query = RUN + " WHERE " + ended + " AND updated_at < ? AND run_id NOT IN (SELECT run_id FROM runs WHERE "
                + ended + " ORDER BY created_at DESC, run_id DESC LIMIT ?) ORDER BY created_at, run_id";
        return all(query, this::listed, StoredText.of(before), keep).stream()
                .map(Found::row)
                .toList();
    }

    Optional<String> runOfKey(String key) throws SQLException {
        return first("SELECT run_id FROM idempotency_keys WHERE key = ?", row -> row.getString(1), key);
    }

    List<String> receipts(String runId) throws SQLException {
        String query = "SELECT receipt, checksum FROM receipts WHERE run_id = ? ORDER BY id";
        return all(query, row -> receipt(runId, row), runId);
    }

    private StoredRun restore(Found run, long sequence) throws SQLException {
        String runId = run.row().runId();
        Optional<Snapshot> snapshot = newestSound(runId, sequence);
        long since = snapshot.map(Snapshot::sequence).orElse(0L);
        // One more than there should be: whoever asks for the end hears of events that are too many.
        long wanted = sequence - since + (sequence == run.lastSequence() ? 1 : 0);
        List<StoredEvent> events = events(runId, since, Math.toIntExact(wanted), Long.MAX_VALUE).stream()
                .map(PositionedEvent::event)
                .toList();
        if (since + events.size() != sequence) {
            throw trouble.damaged("the end of run " + runId);
        }
        return new StoredRun(run.row(), snapshot.map(Snapshot::state), since, events);
    }

    private Optional<Snapshot> newestSound(String runId, long most) throws SQLException {
        String query = "SELECT sequence, state, checksum FROM snapshots WHERE run_id = ? AND sequence <= ?"
                + " ORDER BY sequence DESC";
        List<Optional<Snapshot>> found = all(query, row -> snapshot(runId, row), runId, most);
        return found.stream().flatMap(Optional::stream).findFirst();
    }

    private Optional<Snapshot> snapshot(String runId, ResultSet row) throws SQLException {
        Snapshot snapshot = new Snapshot(row.getLong(1), row.getString(2));
        if (RowChecksum.of(runId, snapshot.sequence(), snapshot.state()) != row.getLong(3)) {
            LOG.error("snapshot {} of run {} is damaged; its events are read instead", snapshot.sequence(), runId);
            return Optional.empty();
        }
        return Optional.of(snapshot);
    }

    private PositionedEvent event(ResultSet row) throws SQLException {
        String runId = row.getString(2);
        long sequence = row.getLong(3);
        String at = row.getString(4);
        String type = row.getString(5);
        int execution = row.getInt(6);
        String data = row.getString(7);
        if (RowChecksum.of(row.getLong(1), runId, sequence, at, type, execution, data) != row.getLong(8)) {
            throw trouble.damaged("event " + sequence + " of run " + runId);
        }
        bytesRead += data.length();
        StoredEvent event =
                new StoredEvent(runId, sequence, StoredText.time(at), type, execution, StoredText.json(data));
        return new PositionedEvent(row.getLong(1), event);
    }

    private Optional<PositionedEvent> soundEvent(ResultSet row) throws SQLException {
        try {
            return Optional.of(event(row));
        } catch (StoreException damaged) {
            LOG.error("left out of the feed: {}", damaged.getMessage());
            return Optional.empty();
        }
    }

    private Found run(ResultSet row) throws SQLException {
        RunRow run = new RunRow(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                Instant.EPOCH,
                JsonNodeFactory.instance.nullNode());
        long lastSequence = row.getLong(7);
        String view = row.getString(8);
        long checksum = RowChecksum.of(
                run.name(),
                run.status(),
                row.getString(4),
                row.getString(5),
                row.getLong(6),
                lastSequence,
                view,
                run.runId());
        if (checksum != row.getLong(9)) {
            throw trouble.damaged("the row of run " + run.runId());
        }
        bytesRead += view.length();
        Instant createdAt = Instant.parse(row.getString(4));
        return new Found(
                new RunRow(run.runId(), run.name(), run.status(), createdAt, StoredText.json(view)),
                row.getString(4),
                lastSequence);
    }

    private Found listed(ResultSet row) throws SQLException {
        try {
            return run(row);
        } catch (StoreException damaged) {
            LOG.error("listed without its content: {}", damaged.getMessage());
            String runId = row.getString(1);
            var view = JsonNodeFactory.instance.objectNode().put("runId", runId).put("damage", damaged.getMessage());
            return new Found(
                    new RunRow(runId, row.getString(2), row.getString(3), Instant.EPOCH, view), row.getString(4), 0);
        }
    }

    private RunPage page(List<Found> found, int limit) {
        boolean more = found.size() > limit || bytesRead >= EventStore.LIST_BYTES;
        List<Found> shown = found.subList(0, Math.min(limit, found.size()));
        Optional<String> next = Optional.empty();
        if (more) {
            Found last = shown.get(shown.size() - 1);
            next = Optional.of(new RunCursor(last.createdAt(), last.row().runId()).text());
        }
        return new RunPage(shown.stream().map(Found::row).toList(), next);
    }

    private String receipt(String runId, ResultSet row) throws SQLException {
        if (RowChecksum.of(runId, row.getString(1)) != row.getLong(2)) {
            throw trouble.damaged("a receipt of run " + runId);
        }
        return row.getString(1);
    }

    <T> Optional<T> first(String sql, RowReader<T> reader, Object... values) throws SQLException {
        return all(sql, reader, values).stream().findFirst();
    }

    <T> List<T> all(String sql, RowReader<T> reader, Object... values) throws SQLException {
        return read(Long.MAX_VALUE, sql, reader, values);
    }

    /** No further row is read once the texts of those before have so many bytes. */
    private <T> List<T> read(long mostBytes, String sql, RowReader<T> reader, Object... values) throws SQLException {
        List<T> found = new ArrayList<>();
        bytesRead = 0;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int column = 0; column < values.length; column++) {
                statement.setObject(column + 1, values[column]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (bytesRead < mostBytes && rows.next()) {
                    found.add(reader.read(rows));
                }
            }
        }
        return found;
    }

    interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** A run with what its row says of its order and its end. */
    record Found(RunRow row, String createdAt, long lastSequence) {}

    private record Snapshot(long sequence, String state) {}
}
