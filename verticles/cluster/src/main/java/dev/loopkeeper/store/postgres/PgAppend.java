package dev.loopkeeper.store.postgres;

import dev.loopkeeper.run.ReportedUsage;
import dev.loopkeeper.store.RowChecksum;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.StoredText;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Appends events of several runs with one statement. A client that is paused within an open
 * transaction would lock the position row and block all other nodes. A refused append has no answer; the rest of the batch is
 * committed.
 */
final class PgAppend {
    /** An append with its receipts and the texts of its columns. */
    record Part(AppendEvents append, List<String> receipts, Texts texts) {
        Part(AppendEvents append, List<String> receipts) {
            this(append, receipts, Texts.of(append));
        }
    }

    /**
     * {@code l} locks the rows of the runs in one order for all writers, to avoid deadlocks. If another node creates
     * one of the runs at the same time, the statement fails, and the writer sends the appends one by one.
     *
     * <p>{@code $25} and {@code $26} are node and incarnation, or null if a single process uses the database. {@code g}
     * lets a node write only while its row is live with that incarnation, and only to runs that it owns at the epoch of
     * the append. A node owns what it creates. {@code m} locks the node's row until that is committed, so that a
     * restarted node of the same name sees all its runs.
     */
    private static final String STATEMENT = """
            WITH a AS (
              SELECT * FROM unnest($1::int[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[],
                $8::text[], $9::text[], $10::text[], $11::bigint[], $12::text[], $13::text[], $14::bigint[],
                $27::text[])
              AS t(ord, run_id, expected, n, epoch, name, status, created_at, updated_at, view, checksum, key, state,
                state_checksum, placement)),
            m AS (SELECT 1 FROM nodes WHERE node = $25 AND incarnation = $26 AND state = 'live'
              AND EXISTS (SELECT 1 FROM a WHERE expected = 0) FOR SHARE),
            g AS (SELECT ($25::text IS NULL OR EXISTS (SELECT 1 FROM m)) AS creates, ($25::text IS NULL OR EXISTS (
              SELECT 1 FROM nodes WHERE node = $25 AND incarnation = $26 AND state = 'live')) AS writes),
            l AS (SELECT r.run_id FROM (SELECT run_id FROM a ORDER BY run_id COLLATE "C") i
              CROSS JOIN LATERAL (SELECT run_id FROM runs WHERE run_id = i.run_id FOR UPDATE) r
              WHERE (SELECT creates OR writes FROM g)),
            u AS (UPDATE runs r SET name = a.name, status = a.status, created_at = a.created_at,
                updated_at = a.updated_at, epoch = a.epoch, last_sequence = a.expected + a.n, view = a.view,
                checksum = a.checksum
              FROM a JOIN l USING (run_id)
              WHERE r.run_id = a.run_id AND a.expected > 0 AND r.last_sequence = a.expected AND r.epoch <= a.epoch
                AND ($25::text IS NULL OR (r.owner = $25 AND r.owner_epoch = a.epoch))
              RETURNING a.ord),
            f AS (SELECT a.* FROM a
              WHERE a.expected = 0 AND (SELECT creates FROM g) AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.run_id = a.run_id)),
            k AS (INSERT INTO idempotency_keys (key, run_id)
              SELECT key, run_id FROM f WHERE key IS NOT NULL ORDER BY ord
              ON CONFLICT (key) DO NOTHING RETURNING run_id),
            c AS (INSERT INTO runs (run_id, name, status, created_at, updated_at, epoch, last_sequence, view, checksum,
                owner, owner_epoch, placement)
              SELECT run_id, name, status, created_at, updated_at, epoch, n, view, checksum, $25, epoch, placement FROM f
              WHERE key IS NULL OR run_id IN (SELECT run_id FROM k)
              RETURNING run_id, epoch),
            w AS (INSERT INTO ownership (run_id, epoch, node, incarnation)
              SELECT run_id, epoch, $25, $26 FROM c WHERE $25::text IS NOT NULL),
            o AS (SELECT a.*, sum(n) OVER (ORDER BY ord) AS upto, sum(n) OVER () AS total FROM a
              WHERE ord IN (SELECT ord FROM u) OR run_id IN (SELECT run_id FROM c)),
            p AS (UPDATE feed SET position = position + (SELECT max(total) FROM o)
              WHERE one = 1 AND EXISTS (SELECT 1 FROM o)
              RETURNING position),
            e AS (INSERT INTO events (position, run_id, sequence, epoch, at, type, execution, data, checksum,
                step_id)
              SELECT p.position - o.total + o.upto - o.n + t.i, o.run_id, o.expected + t.i, o.epoch, t.at, t.type,
                t.execution, t.data, t.checksum, t.step_id
              FROM p, o JOIN unnest($15::int[], $16::int[], $17::text[], $18::text[], $19::int[], $20::text[],
                $21::bigint[], $36::text[]) AS t(ord, i, at, type, execution, data, checksum, step_id) USING (ord)),
            d AS (DELETE FROM snapshots s USING o
              WHERE o.state IS NOT NULL AND s.run_id = o.run_id
                AND s.sequence < (SELECT max(sequence) FROM snapshots n WHERE n.run_id = o.run_id)),
            s AS (INSERT INTO snapshots (run_id, sequence, state, checksum)
              SELECT run_id, expected + n, state, state_checksum FROM o WHERE state IS NOT NULL
              ON CONFLICT (run_id, sequence) DO UPDATE SET state = excluded.state, checksum = excluded.checksum),
            q AS (INSERT INTO receipts (run_id, receipt, checksum)
              SELECT o.run_id, t.receipt, t.checksum
              FROM o JOIN unnest($22::int[], $23::text[], $24::bigint[]) WITH ORDINALITY
                AS t(ord, receipt, checksum, place) USING (ord) ORDER BY t.place),
            x AS (INSERT INTO reported_usage (position, part, at_ms, name, workspace, cost, estimated, tokens,
                unknown_steps)
              SELECT p.position - o.total + o.upto, t.part, t.at_ms, o.name, t.workspace, t.cost, t.estimated, t.tokens,
                t.unknown_steps
              FROM p, o JOIN unnest($28::int[], $29::int[], $30::bigint[], $31::text[], $32::bigint[], $33::bigint[],
                $34::bigint[], $35::int[])
                AS t(ord, part, at_ms, workspace, cost, estimated, tokens, unknown_steps) USING (ord))
            SELECT o.ord, (p.position - o.total + o.upto)::bigint FROM o, p""";

    private final List<Part> parts;
    private final List<Texts> texts;
    private final Optional<NodeRegistration> registration;
    private final AppendProbe probe;
    private final Tuple values;

    /** Column values of an append, each serialized once. */
    record Texts(String createdAt, String updatedAt, String view, List<EventTexts> events) {
        static Texts of(AppendEvents append) {
            List<StoredEvent> events = append.events();
            return new Texts(
                    StoredText.of(append.row().createdAt()),
                    StoredText.of(events.get(events.size() - 1).at()),
                    StoredText.of(append.row().view()),
                    events.stream().map(EventTexts::of).toList());
        }

        long checksum(AppendEvents append) {
            RunRow row = append.row();
            return RowChecksum.of(
                    row.name(), row.status(), createdAt, updatedAt, append.epoch(), last(append), view, row.runId());
        }
    }

    record EventTexts(StoredEvent event, String at, String data) {
        static EventTexts of(StoredEvent event) {
            return new EventTexts(event, event.at().toString(), StoredText.of(event.data()));
        }

        /** Omits the position, which the database assigns. */
        long checksum() {
            return RowChecksum.of(event.runId(), event.sequence(), at, event.type(), event.execution(), data);
        }
    }

    /**
     * Builds the statement's values.
     *
     * @param parts at most one for each run
     * @param registration of the appending node; absent if a single process uses the database
     */
    PgAppend(List<Part> parts, Optional<NodeRegistration> registration, AppendProbe probe) {
        probe.before(AppendProbe.Point.STATEMENT);
        this.parts = parts;
        this.texts = parts.stream().map(Part::texts).toList();
        this.registration = registration;
        this.probe = probe;
        this.values = values();
    }

    /**
     * Returns the answer to each part, in order; empty for a refused part. The other answers have ascending positions.
     */
    Future<List<Optional<Appended>>> execute(SqlConnection connection) {
        probe.before(AppendProbe.Point.SEND);
        return connection.preparedQuery(STATEMENT).execute(values).map(rows -> {
            probe.before(AppendProbe.Point.READ_ANSWER);
            Map<Integer, Appended> durable = new HashMap<>();
            rows.forEach(row -> durable.put(row.getInteger(0), new Appended(row.getLong(1))));
            List<Optional<Appended>> answers = new ArrayList<>();
            for (int ord = 0; ord < parts.size(); ord++) {
                answers.add(Optional.ofNullable(durable.get(ord)));
            }
            return answers;
        });
    }

    private Tuple values() {
        List<Object> values = new ArrayList<>(columns());
        values.add(registration.map(NodeRegistration::node).orElse(null));
        values.add(registration.map(NodeRegistration::incarnation).orElse(null));
        values.add(column(String[]::new, (ord, part) -> placement(part.append())));
        values.add(used(Integer[]::new, (ord, index, used) -> ord));
        values.add(used(Integer[]::new, (ord, index, used) -> index));
        values.add(used(Long[]::new, (ord, index, used) -> used.at().toEpochMilli()));
        values.add(used(
                String[]::new,
                (ord, index, used) -> parts.get(ord).append().row().workspace()));
        values.add(used(Long[]::new, (ord, index, used) -> used.costNanoUsd()));
        values.add(used(Long[]::new, (ord, index, used) -> used.estimatedNanoUsd()));
        values.add(used(Long[]::new, (ord, index, used) -> used.tokens()));
        values.add(used(Integer[]::new, (ord, index, used) -> used.unknownSteps()));
        values.add(events(String[]::new, (ord, index, text) -> text.event().stepId()));
        return Tuple.wrap(values);
    }

    private List<Object> columns() {
        return List.of(
                column(Integer[]::new, (ord, part) -> ord),
                column(String[]::new, (ord, part) -> part.append().runId()),
                column(Long[]::new, (ord, part) -> part.append().expectedSequence()),
                column(Long[]::new, (ord, part) -> (long) part.append().events().size()),
                column(Long[]::new, (ord, part) -> part.append().epoch()),
                column(String[]::new, (ord, part) -> part.append().row().name()),
                column(String[]::new, (ord, part) -> part.append().row().status()),
                column(String[]::new, (ord, part) -> texts.get(ord).createdAt()),
                column(String[]::new, (ord, part) -> texts.get(ord).updatedAt()),
                column(String[]::new, (ord, part) -> texts.get(ord).view()),
                column(Long[]::new, (ord, part) -> texts.get(ord).checksum(part.append())),
                column(
                        String[]::new,
                        (ord, part) -> part.append().idempotencyKey().orElse(null)),
                column(String[]::new, (ord, part) -> part.append().snapshot().orElse(null)),
                column(Long[]::new, (ord, part) -> snapshotChecksum(part.append())),
                events(Integer[]::new, (ord, index, text) -> ord),
                events(Integer[]::new, (ord, index, text) -> index + 1),
                events(String[]::new, (ord, index, text) -> text.at()),
                events(String[]::new, (ord, index, text) -> text.event().type()),
                events(Integer[]::new, (ord, index, text) -> text.event().execution()),
                events(String[]::new, (ord, index, text) -> text.data()),
                events(Long[]::new, (ord, index, text) -> text.checksum()),
                receipts(Integer[]::new, (ord, index, receipt) -> ord),
                receipts(String[]::new, (ord, index, receipt) -> receipt),
                receipts(
                        Long[]::new,
                        (ord, index, receipt) ->
                                RowChecksum.of(parts.get(ord).append().runId(), receipt)));
    }

    private interface OfPart<T> {
        T of(int ord, Part part);
    }

    private interface OfEntry<E, T> {
        T of(int ord, int index, E entry);
    }

    private interface Column<T> {
        T[] of(int length);
    }

    private <T> T[] column(Column<T> made, OfPart<T> value) {
        T[] column = made.of(parts.size());
        for (int ord = 0; ord < column.length; ord++) {
            column[ord] = value.of(ord, parts.get(ord));
        }
        return column;
    }

    private <T> T[] events(Column<T> made, OfEntry<EventTexts, T> value) {
        return entries(made, ord -> texts.get(ord).events(), value);
    }

    private <T> T[] used(Column<T> made, OfEntry<ReportedUsage, T> value) {
        return entries(made, ord -> parts.get(ord).append().used(), value);
    }

    private <E, T> T[] entries(Column<T> made, IntFunction<List<E>> of, OfEntry<E, T> value) {
        List<T> column = new ArrayList<>();
        for (int ord = 0; ord < parts.size(); ord++) {
            List<E> entries = of.apply(ord);
            for (int index = 0; index < entries.size(); index++) {
                column.add(value.of(ord, index, entries.get(index)));
            }
        }
        return column.toArray(made.of(0));
    }

    private <T> T[] receipts(Column<T> made, OfEntry<String, T> value) {
        return entries(made, ord -> parts.get(ord).receipts(), value);
    }

    private static long last(AppendEvents append) {
        return append.expectedSequence() + append.events().size();
    }

    private String placement(AppendEvents append) {
        return registration.map(node -> node.placement(append.row())).orElse(null);
    }

    private static Long snapshotChecksum(AppendEvents append) {
        return append.snapshot()
                .map(state -> RowChecksum.of(append.runId(), last(append), state))
                .orElse(null);
    }
}
