package dev.loopkeeper.store.sql;

import dev.loopkeeper.contract.RunChannels.RunCursor;
import dev.loopkeeper.contract.RunChannels.RunQuery;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunEnded;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.EventQuery;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.EventStore.RunPage;
import dev.loopkeeper.store.EventStore.RunSelection;
import dev.loopkeeper.store.EventStore.RunsAt;
import dev.loopkeeper.store.EventStore.StoredReceipt;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.RowChecksum;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoredRun;
import dev.loopkeeper.store.StoredText;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Queries of a store on one connection; see {@link EventStore} for their results. */
final class StoreQueries {
    private static final String NEWEST = "created_at DESC, run_id DESC";
    private static final String OLDEST = "created_at, run_id";
    private static final Comparator<RunReader.Found> NEWEST_FIRST = Comparator.comparing(RunReader.Found::createdAt)
            .thenComparing(run -> run.row().runId())
            .reversed();
    /** Sorts after any character of a run id. */
    private static final String ABOVE_IDS = "~";

    private final StoreConnection connection;
    private final SqlDialect dialect;
    private final EventReader events;
    private final RunReader runs;
    private final RunRestores restores;

    StoreQueries(StoreConnection connection) {
        this.connection = connection;
        this.dialect = connection.dialect();
        this.events = new EventReader(dialect);
        this.runs = new RunReader(dialect);
        this.restores = new RunRestores(connection, events);
    }

    /** Uses an index of the run or of its steps; skipped events are neither parsed nor verified. */
    Future<List<PositionedEvent>> events(EventQuery query) {
        String where = "run_id = ? AND sequence > ? AND sequence < ?";
        List<Object> values = new ArrayList<>(List.of(query.runId(), query.after(), query.before()));
        if (!query.types().isEmpty()) {
            where += " AND type IN " + marks(query.types());
            values.addAll(query.types());
        }
        if (!query.steps().isEmpty()) {
            where += " AND step_id IN " + marks(query.steps());
            values.addAll(query.steps());
        }
        query.limit().ifPresent(values::add);
        String order = query.newestFirst() ? "sequence DESC" : "sequence";
        return connection
                .bounded(eventsFrom(where, order, query.limit().isPresent(), values), events::event)
                .map(found ->
                        query.isGapless() ? events.inOrder(query.runId(), query.after(), found.rows()) : found.rows());
    }

    Future<List<PositionedEvent>> eventsAfter(long position, int limit) {
        return connection
                .bounded(eventsFrom("position > ?", "position", true, List.of(position, limit)), events::intact)
                .map(found -> found.rows().stream().flatMap(Optional::stream).toList());
    }

    private static BoundedSelect eventsFrom(String where, String order, boolean limited, List<Object> values) {
        return new BoundedSelect(
                EventReader.LARGE,
                EventReader.COLUMNS,
                "events WHERE " + where,
                order,
                limited,
                values,
                EventStore.READ_BYTES);
    }

    Future<Set<String>> endedAfter(long position) {
        return connection
                .all(
                        "SELECT run_id FROM events WHERE position > ? AND type = ?",
                        row -> row.text(0),
                        position,
                        EventTypes.of(RunEnded.class))
                .map(Set::copyOf);
    }

    Future<Long> lastPosition() {
        return connection.first(dialect.lastPosition(), row -> row.number(0)).map(found -> found.orElse(0L));
    }

    Future<Optional<RunRow>> find(String runId) {
        return run(runId).map(found -> found.map(RunReader.Found::row));
    }

    private Future<Optional<RunReader.Found>> run(String runId) {
        return connection.first(runsWhere("run_id = ?"), runs::run, runId);
    }

    private String runsWhere(String condition) {
        return runsWhere(runs.columns("0"), condition);
    }

    private static String runsWhere(String columns, String condition) {
        return "SELECT " + RunReader.LARGE + ", " + columns + " FROM runs WHERE " + condition;
    }

    /** Requires a snapshot, because it uses several queries. */
    Future<Optional<StoredRun>> load(String runId) {
        return run(runId)
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : restores.restore(found.get(), found.get().lastSequence()));
    }

    /** Requires a snapshot, because it uses several queries. */
    Future<Optional<StoredRun>> loadAt(String runId, long sequence) {
        return run(runId)
                .compose(found -> found.isPresent()
                                && sequence >= 1
                                && sequence <= found.get().lastSequence()
                        ? restores.restore(found.get(), sequence)
                        : Future.succeededFuture(Optional.empty()));
    }

    /** Requires a snapshot, because it uses several queries. */
    Future<RunsAt> runsAt(RunSelection selection, Optional<Long> position) {
        Future<List<RunReader.Found>> found = selection.runIds().isEmpty()
                ? allAt("status", selection.statuses(), position)
                        .compose(all -> newestAt(selection, position)
                                .map(others -> Stream.concat(all.stream(), others.stream())
                                        .toList()))
                : allAt("run_id", selection.runIds(), position);
        return found.compose(all -> lastPosition()
                .map(last -> new RunsAt(
                        last,
                        all.stream()
                                .sorted(NEWEST_FIRST)
                                .map(run -> runAt(run, position.isPresent()))
                                .filter(run -> run.sequence() > 0 || run.current())
                                .toList())));
    }

    private Future<List<RunReader.Found>> allAt(String column, Collection<String> texts, Optional<Long> position) {
        List<Object> values = new ArrayList<>();
        String sql = runsWhere(columnsAt(position, values), column + " IN " + marks(texts));
        values.addAll(texts);
        return connection.all(sql, runs::listed, values.toArray());
    }

    private Future<List<RunReader.Found>> newestAt(RunSelection selection, Optional<Long> position) {
        List<Object> values = new ArrayList<>();
        String columns = columnsAt(position, values);
        values.addAll(selection.statuses());
        values.add(selection.newest());
        return connection
                .bounded(
                        runsFrom(columns, " WHERE status NOT IN " + marks(selection.statuses()), NEWEST, values),
                        runs::listed)
                .map(BoundedRows::rows);
    }

    /** Adds the sequence of each run at this position. */
    private String columnsAt(Optional<Long> position, List<Object> values) {
        position.ifPresent(values::add);
        return runs.columns(
                position.isEmpty()
                        ? "0"
                        : "(SELECT e.sequence FROM events e WHERE e.run_id = runs.run_id AND e.position <= ?"
                                + " ORDER BY e.sequence DESC LIMIT 1)");
    }

    /** A damaged run has sequence 0 and is listed; a run without an event at the position has 0 and is not current. */
    private static RunsAt.RunAt runAt(RunReader.Found run, boolean past) {
        long then = past && run.lastSequence() > 0 ? run.then() : run.lastSequence();
        return new RunsAt.RunAt(run.row(), then, then == run.lastSequence());
    }

    private static BoundedSelect runsFrom(String columns, String where, String order, List<Object> values) {
        return new BoundedSelect(RunReader.LARGE, columns, "runs" + where, order, true, values, EventStore.LIST_BYTES);
    }

    Future<RunPage> list(RunQuery query) {
        List<Object> values = new ArrayList<>();
        List<String> conditions = new ArrayList<>();
        if (!query.statuses().isEmpty()) {
            conditions.add("status IN " + marks(query.statuses()));
            values.addAll(query.statuses());
        }
        query.cursor().map(RunCursor::parse).ifPresent(last -> {
            conditions.add("(created_at, run_id) < (?, ?)");
            Collections.addAll(values, last.createdAt(), last.runId());
        });
        query.prefix().ifPresent(prefix -> {
            conditions.add("run_id >= ? AND run_id < ?");
            Collections.addAll(values, prefix, prefix + ABOVE_IDS);
        });
        query.text().ifPresent(text -> {
            String found = dialect.indexOf() + "(lower(%s), lower(CAST(? AS text))) > 0";
            conditions.add("(" + found.formatted("run_id") + " OR " + found.formatted("name") + ")");
            Collections.addAll(values, text, text);
        });
        String where = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
        values.add(query.limit() + 1);
        return connection
                .bounded(runsFrom(runs.columns("0"), where, NEWEST, values), runs::listed)
                .map(found -> RunReader.page(found, query.limit()));
    }

    /** Returns older ended runs without those created last. */
    Future<RunPage> endedBefore(Instant before, int keep, Optional<String> cursor, int limit) {
        String ended = "status IN " + marks(RunStatus.ENDED);
        String where = " WHERE " + ended + " AND updated_at < ? AND run_id NOT IN (SELECT run_id FROM runs WHERE "
                + ended + " ORDER BY " + NEWEST + " LIMIT ?)"
                + (cursor.isPresent() ? " AND (created_at, run_id) > (?, ?)" : "");
        List<Object> values = new ArrayList<>(RunStatus.ENDED);
        values.add(StoredText.of(before));
        values.addAll(RunStatus.ENDED);
        values.add(keep);
        cursor.map(RunCursor::parse).ifPresent(last -> Collections.addAll(values, last.createdAt(), last.runId()));
        values.add(limit + 1);
        return connection
                .bounded(runsFrom(runs.columns("0"), where, OLDEST, values), runs::listed)
                .map(found -> RunReader.page(found, limit));
    }

    Future<Optional<String>> runOfKey(String key) {
        return connection.first("SELECT run_id FROM idempotency_keys WHERE key = ?", row -> row.text(0), key);
    }

    Future<List<StoredReceipt>> receipts(String runId, long after) {
        BoundedSelect select = new BoundedSelect(
                "receipt",
                "id, checksum",
                "receipts WHERE run_id = ? AND id > ?",
                "id",
                false,
                List.of(runId, after),
                EventStore.READ_BYTES);
        return connection.bounded(select, row -> receipt(runId, row)).map(BoundedRows::rows);
    }

    private StoredReceipt receipt(String runId, SqlRow row) {
        if (RowChecksum.of(runId, row.text(0)) != row.number(2)) {
            throw dialect.damaged("a receipt of run " + runId);
        }
        return new StoredReceipt(row.number(1), row.text(0));
    }

    /** Returns a list for {@code IN}; without members, one that equals no status and no id. */
    private static String marks(Collection<String> texts) {
        return texts.isEmpty() ? "('')" : "(" + String.join(", ", Collections.nCopies(texts.size(), "?")) + ")";
    }
}
