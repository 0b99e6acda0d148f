package dev.loopkeeper.store.postgres;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.EventQuery;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.RowChecksum;
import dev.loopkeeper.store.RunCursor;
import dev.loopkeeper.store.RunPage;
import dev.loopkeeper.store.RunQuery;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.RunSelection;
import dev.loopkeeper.store.RunsAt;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.StoredRun;
import dev.loopkeeper.store.StoredText;
import dev.loopkeeper.view.Owner;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The queries of the store on one connection. Every row is compared with its checksum. */
final class PgReads {
    private static final Logger LOG = LoggerFactory.getLogger(PgReads.class);
    private static final String RUN_COLUMNS =
            "run_id, name, status, created_at, updated_at, epoch, last_sequence, view,"
                    + " checksum, owner, owner_epoch, (SELECT since FROM ownership o WHERE o.run_id = runs.run_id"
                    + " AND o.epoch = runs.owner_epoch), " + AwaitedNode.COLUMN;
    private static final int OWNER = 9;
    private static final int AWAITED = OWNER + 3;
    private static final String RUN = "SELECT " + RUN_COLUMNS + " FROM runs";
    private static final String EVENT_COLUMNS = "position, run_id, sequence, at, type, execution, data, checksum";
    private static final String EVENT = "SELECT " + EVENT_COLUMNS + " FROM events";
    private static final String NEWEST = "created_at DESC, run_id DESC";
    private static final String NEWEST_FIRST = " ORDER BY " + NEWEST;
    private static final String POSITION = "SELECT position FROM feed";

    private final SqlConnection connection;
    private final PgTrouble trouble;

    PgReads(SqlConnection connection, PgTrouble trouble) {
        this.connection = connection;
        this.trouble = trouble;
    }

    Future<List<PositionedEvent>> events(String runId, long since, int limit) {
        return inOrder(runId, since, part(" WHERE run_id = $1 AND sequence > $2", "sequence", " LIMIT $3"), limit);
    }

    /** A read that ends by bytes, too: what is beyond stays in the database. */
    private static String part(String where, String order, String limit) {
        return "SELECT " + EVENT_COLUMNS + " FROM (" + bounded(EVENT_COLUMNS, "data", "events" + where, order, limit)
                + ") part WHERE bytes_before < " + EventStore.READ_BYTES + " ORDER BY " + order;
    }

    /** Rows with the bytes that those before them have in this column. */
    private static String bounded(String columns, String large, String from, String order, String limit) {
        String bytes = "octet_length(" + large + ")";
        return "SELECT " + columns + ", sum(" + bytes + ") OVER (ORDER BY " + order
                + " ROWS UNBOUNDED PRECEDING) - " + bytes + " AS bytes_before FROM " + from + " ORDER BY " + order
                + limit;
    }

    private Future<List<PositionedEvent>> inOrder(String runId, long since, String query, int limit) {
        return all(query, this::event, runId, since, limit).map(found -> {
            for (int index = 0; index < found.size(); index++) {
                if (found.get(index).event().sequence() != since + index + 1) {
                    throw trouble.damaged("event " + (since + index + 1) + " of run " + runId);
                }
            }
            return found;
        });
    }

    Future<List<PositionedEvent>> events(EventQuery query) {
        StringBuilder where = new StringBuilder(" WHERE run_id = $1 AND sequence > $2 AND sequence < $3");
        List<Object> values = new ArrayList<>(List.of(query.runId(), query.after(), query.before()));
        if (!query.types().isEmpty()) {
            values.add(PgStatements.texts(query.types()));
            where.append(" AND type = ANY($").append(values.size()).append(')');
        }
        query.naming().ifPresent(name -> {
            values.add(TextNode.valueOf(name).toString());
            where.append(" AND strpos(data, $").append(values.size()).append(") > 0");
        });
        query.limit().ifPresent(values::add);
        String limit = query.limit().isPresent() ? " LIMIT $" + values.size() : "";
        String order = query.newestFirst() ? "sequence DESC" : "sequence";
        return all(part(where.toString(), order, limit), this::event, values.toArray());
    }

    /** A damaged event is left out and logged: the feed of all other runs goes on. */
    Future<List<PositionedEvent>> eventsAfter(long position, int limit) {
        String query = part(" WHERE position > $1", "position", " LIMIT $2");
        return all(query, this::soundEvent, position, limit)
                .map(found -> found.stream().flatMap(Optional::stream).toList());
    }

    Future<Long> lastPosition() {
        return first(POSITION, row -> row.getLong(0)).map(found -> found.orElse(0L));
    }

    Future<Optional<RunRow>> find(String runId) {
        return first(RUN + " WHERE run_id = $1", this::run, runId).map(found -> found.map(Found::row));
    }

    /** In one snapshot. */
    Future<Optional<StoredRun>> load(String runId) {
        return first(RUN + " WHERE run_id = $1", this::run, runId)
                .compose(found -> found.map(
                                run -> restore(run, run.lastSequence()).map(Optional::of))
                        .orElseGet(() -> Future.succeededFuture(Optional.empty())));
    }

    /** The run after one of its events, with its present row. In one snapshot. */
    Future<Optional<StoredRun>> loadAt(String runId, long sequence) {
        return first(RUN + " WHERE run_id = $1", this::run, runId)
                .compose(found -> found.filter(run -> sequence >= 1 && run.lastSequence() >= sequence)
                        .map(run -> restore(run, sequence).map(Optional::of))
                        .orElseGet(() -> Future.succeededFuture(Optional.empty())));
    }

    /** In one snapshot. */
    Future<RunsAt> runsAt(RunSelection selection, Optional<Long> position) {
        String then = "SELECT " + RUN_COLUMNS + ", (SELECT max(e.sequence) FROM events e"
                + " WHERE e.run_id = runs.run_id AND e.position <= $1) FROM runs";
        String ended = bounded("run_id", "view", "runs WHERE NOT status = ANY($2)", NEWEST, " LIMIT $3");
        String newest = " WHERE status = ANY($2) OR run_id IN (SELECT run_id FROM (" + ended
                + ") part WHERE bytes_before < " + EventStore.LIST_BYTES + ")";
        long at = position.orElse(Long.MAX_VALUE);
        Future<List<RunsAt.RunAt>> runs = selection.runIds().isEmpty()
                ? all(
                        then + newest + NEWEST_FIRST,
                        row -> runAt(row, position.isPresent()),
                        at,
                        PgStatements.texts(selection.statuses()),
                        selection.newest())
                : all(
                        then + " WHERE run_id = ANY($2)" + NEWEST_FIRST,
                        row -> runAt(row, position.isPresent()),
                        at,
                        PgStatements.texts(selection.runIds()));
        return runs.compose(found -> lastPosition()
                .map(last -> new RunsAt(
                        last,
                        found.stream()
                                .filter(run -> run.sequence() > 0 || run.current())
                                .toList())));
    }

    /** A damaged run has sequence 0 and is shown; one that had no event yet has 0 and is not current. */
    private RunsAt.RunAt runAt(Row row, boolean past) {
        Found run = listed(row);
        Long seen = row.getLong(AWAITED + 1);
        long then = !past || run.lastSequence() == 0 ? run.lastSequence() : seen == null ? 0 : seen;
        return new RunsAt.RunAt(run.row(), then, then == run.lastSequence());
    }

    Future<RunPage> list(RunQuery query) {
        List<Object> values = new ArrayList<>();
        List<String> conditions = new ArrayList<>();
        if (!query.statuses().isEmpty()) {
            values.add(PgStatements.texts(query.statuses()));
            conditions.add("status = ANY($1)");
        }
        query.cursor().map(RunCursor::parse).ifPresent(last -> {
            values.add(last.createdAt());
            values.add(last.runId());
            conditions.add("(created_at, run_id) < ($" + (values.size() - 1) + ", $" + values.size() + ")");
        });
        query.prefix().ifPresent(prefix -> {
            values.add(prefix);
            conditions.add("starts_with(run_id, $" + values.size() + ")");
        });
        query.text().ifPresent(text -> {
            values.add(text);
            String asked = "lower($" + values.size() + "::text)";
            conditions.add("(strpos(lower(run_id), " + asked + ") > 0 OR strpos(lower(name), " + asked + ") > 0)");
        });
        String where = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
        values.add(query.limit() + 1);
        String sql = "SELECT *, bytes_before + octet_length(view) >= " + EventStore.LIST_BYTES + " FROM ("
                + bounded(RUN_COLUMNS, "view", "runs" + where, NEWEST, " LIMIT $" + values.size())
                + ") part WHERE bytes_before < " + EventStore.LIST_BYTES + " ORDER BY " + NEWEST;
        AtomicBoolean cut = new AtomicBoolean();
        return all(
                        sql,
                        row -> {
                            cut.set(row.getBoolean(AWAITED + 2));
                            return listed(row);
                        },
                        values.toArray())
                .map(found -> page(found, query.limit(), cut.get()));
    }

    /** Ended runs that are older, without those that were created last. */
    Future<List<RunRow>> endedBefore(Instant before, int keep) {
        String query = RUN + " WHERE status = ANY($1) AND updated_at < $2 AND run_id NOT IN (SELECT run_id FROM runs"
                + " WHERE status = ANY($1)" + NEWEST_FIRST + " LIMIT $3) ORDER BY created_at, run_id";
        return all(query, this::listed, PgStatements.texts(RunStatus.ENDED), StoredText.of(before), keep)
                .map(found -> found.stream().map(Found::row).toList());
    }

    Future<Optional<String>> runOfKey(String key) {
        return first("SELECT run_id FROM idempotency_keys WHERE key = $1", row -> row.getString(0), key);
    }

    Future<List<String>> receipts(String runId) {
        String query = "SELECT receipt, checksum FROM receipts WHERE run_id = $1 ORDER BY id";
        return all(query, row -> receipt(runId, row), runId);
    }

    private Future<StoredRun> restore(Found run, long sequence) {
        String runId = run.row().runId();
        return newestSound(runId, sequence).compose(snapshot -> {
            long since = snapshot.map(Snapshot::sequence).orElse(0L);
            // One more than there should be: whoever asks for the end hears of events that are too many.
            long wanted = sequence - since + (sequence == run.lastSequence() ? 1 : 0);
            String whole = EVENT + " WHERE run_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3";
            return inOrder(runId, since, whole, Math.toIntExact(wanted)).map(events -> {
                if (since + events.size() != sequence) {
                    throw trouble.damaged("the end of run " + runId);
                }
                List<StoredEvent> later =
                        events.stream().map(PositionedEvent::event).toList();
                return new StoredRun(run.row(), snapshot.map(Snapshot::state), since, later);
            });
        });
    }

    private Future<Optional<Snapshot>> newestSound(String runId, long most) {
        String query = "SELECT sequence, state, checksum FROM snapshots WHERE run_id = $1 AND sequence <= $2"
                + " ORDER BY sequence DESC";
        return all(query, row -> snapshot(runId, row), runId, most)
                .map(found -> found.stream().flatMap(Optional::stream).findFirst());
    }

    private static Optional<Snapshot> snapshot(String runId, Row row) {
        Snapshot snapshot = new Snapshot(row.getLong(0), row.getString(1));
        if (RowChecksum.of(runId, snapshot.sequence(), snapshot.state()) != row.getLong(2)) {
            LOG.error("snapshot {} of run {} is damaged; its events are read instead", snapshot.sequence(), runId);
            return Optional.empty();
        }
        return Optional.of(snapshot);
    }

    private PositionedEvent event(Row row) {
        String runId = row.getString(1);
        long sequence = row.getLong(2);
        String at = row.getString(3);
        String type = row.getString(4);
        int execution = row.getInteger(5);
        String data = row.getString(6);
        if (RowChecksum.of(runId, sequence, at, type, execution, data) != row.getLong(7)) {
            throw trouble.damaged("event " + sequence + " of run " + runId);
        }
        StoredEvent event =
                new StoredEvent(runId, sequence, StoredText.time(at), type, execution, StoredText.json(data));
        return new PositionedEvent(row.getLong(0), event);
    }

    private Optional<PositionedEvent> soundEvent(Row row) {
        try {
            return Optional.of(event(row));
        } catch (StoreException damaged) {
            LOG.error("left out of the feed: {}", damaged.getMessage());
            return Optional.empty();
        }
    }

    private Found run(Row row) {
        String runId = row.getString(0);
        String view = row.getString(7);
        long checksum = RowChecksum.of(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getLong(5),
                row.getLong(6),
                view,
                runId);
        if (checksum != row.getLong(8)) {
            throw trouble.damaged("the row of run " + runId);
        }
        Instant createdAt = Instant.parse(row.getString(3));
        RunRow shown = new RunRow(
                runId, row.getString(1), row.getString(2), createdAt, owned(row, createdAt, StoredText.json(view)));
        return new Found(shown, row.getString(3), row.getLong(6));
    }

    /** Who carries it out changes without an event, so it is no part of what is kept with them. */
    private static JsonNode owned(Row row, Instant createdAt, JsonNode view) {
        if (row.getString(AWAITED) != null && view instanceof ObjectNode run) {
            run.put("waitsFor", AwaitedNode.text(row.getString(AWAITED)));
        }
        if (row.getString(OWNER) != null && view instanceof ObjectNode run) {
            OffsetDateTime since = row.getOffsetDateTime(OWNER + 2);
            Owner owner = new Owner(
                    row.getString(OWNER),
                    row.getLong(OWNER + 1),
                    // As all other times are told.
                    since == null ? createdAt : since.toInstant().truncatedTo(ChronoUnit.MILLIS));
            run.set("owner", Json.MAPPER.valueToTree(owner));
        }
        return view;
    }

    private Found listed(Row row) {
        try {
            return run(row);
        } catch (StoreException damaged) {
            LOG.error("listed without its content: {}", damaged.getMessage());
            String runId = row.getString(0);
            var view = JsonNodeFactory.instance.objectNode().put("runId", runId).put("damage", damaged.getMessage());
            RunRow shown = new RunRow(runId, row.getString(1), row.getString(2), Instant.EPOCH, view);
            return new Found(shown, row.getString(3), 0);
        }
    }

    private static RunPage page(List<Found> found, int limit, boolean cut) {
        boolean more = found.size() > limit || cut;
        List<Found> shown = found.subList(0, Math.min(limit, found.size()));
        Optional<String> next = Optional.empty();
        if (more) {
            Found last = shown.get(shown.size() - 1);
            next = Optional.of(new RunCursor(last.createdAt(), last.row().runId()).text());
        }
        return new RunPage(shown.stream().map(Found::row).toList(), next);
    }

    private String receipt(String runId, Row row) {
        if (RowChecksum.of(runId, row.getString(0)) != row.getLong(1)) {
            throw trouble.damaged("a receipt of run " + runId);
        }
        return row.getString(0);
    }

    private <T> Future<Optional<T>> first(String sql, Function<Row, T> reader, Object... values) {
        return PgStatements.first(connection, sql, reader, values);
    }

    private <T> Future<List<T>> all(String sql, Function<Row, T> reader, Object... values) {
        return PgStatements.all(connection, sql, reader, values);
    }

    /** A run with what its row says of its order and its end. */
    private record Found(RunRow row, String createdAt, long lastSequence) {}

    private record Snapshot(long sequence, String state) {}
}
