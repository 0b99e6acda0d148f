package dev.loopkeeper.store.postgres;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.RowChecksum;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.sql.EncodedAppend;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Appends events of several runs with one statement. A client that is paused within an open
 * transaction would lock the position row and block all other nodes. A refused append has no answer; the rest of the batch is
 * committed.
 */
final class PgAppend {
    /**
     * An append with its receipts, which is encoded once. Its members have the names of the statement's columns.
     *
     * @param row without {@code ord} and {@code placement}
     */
    record Part(AppendEvents append, ObjectNode row) {
        static Part of(AppendEvents append, List<String> receipts) {
            EncodedAppend rows = EncodedAppend.of(append);
            ObjectNode row = Json.MAPPER.valueToTree(rows.row());
            row.put("run_id", rows.runId())
                    .put("expected", rows.expectedSequence())
                    .put("n", rows.events().size())
                    .put("epoch", rows.epoch());
            rows.idempotencyKey().ifPresent(key -> row.put("key", key));
            rows.snapshot().ifPresent(known -> row.put("state", known.state()).put("state_checksum", known.checksum()));
            rows.used().ifPresent(used -> row.setAll(Json.MAPPER.<ObjectNode>valueToTree(used)));
            row.set("events", Json.MAPPER.valueToTree(rows.events()));
            ArrayNode kept = row.putArray("receipts");
            receipts.forEach(receipt -> kept.addObject()
                    .put("i", kept.size())
                    .put("receipt", receipt)
                    .put("checksum", RowChecksum.of(append.runId(), receipt)));
            return new Part(append, row);
        }
    }

    /**
     * {@code l} locks the rows of the runs in one order for all writers, to avoid deadlocks. If another node creates
     * one of the runs at the same time, the statement fails, and the writer sends the appends one by one.
     *
     * <p>{@code $1} is a list of {@link Part#row}, as text. {@code $2} and {@code $3} are node and incarnation, or null
     * if a single process uses the database. {@code g} lets a node write only while its row is live with that
     * incarnation, and only to runs that it owns at the epoch of the append. A node owns what it creates. {@code m} locks
     * the node's row until that is committed, so that a restarted node of the same name sees all its runs.
     */
    private static final String STATEMENT = """
            WITH a AS (
              SELECT * FROM json_to_recordset($1::text::json)
              AS t(ord int, run_id text, expected bigint, n bigint, epoch bigint, name text, status text, created_at text,
                updated_at text, view text, checksum bigint, key text, state text, state_checksum bigint, placement text,
                events json, receipts json, at_ms bigint, workspace text, cost bigint, estimated bigint, tokens bigint,
                unknown_steps int)),
            m AS (SELECT 1 FROM nodes WHERE node = $2 AND incarnation = $3 AND state = 'live'
              AND EXISTS (SELECT 1 FROM a WHERE expected = 0) FOR SHARE),
            g AS (SELECT ($2::text IS NULL OR EXISTS (SELECT 1 FROM m)) AS creates, ($2::text IS NULL OR EXISTS (
              SELECT 1 FROM nodes WHERE node = $2 AND incarnation = $3 AND state = 'live')) AS writes),
            l AS (SELECT r.run_id FROM (SELECT run_id FROM a ORDER BY run_id COLLATE "C") i
              CROSS JOIN LATERAL (SELECT run_id FROM runs WHERE run_id = i.run_id FOR UPDATE) r
              WHERE (SELECT creates OR writes FROM g)),
            u AS (UPDATE runs r SET name = a.name, status = a.status, created_at = a.created_at,
                updated_at = a.updated_at, epoch = a.epoch, last_sequence = a.expected + a.n, view = a.view,
                checksum = a.checksum
              FROM a JOIN l USING (run_id)
              WHERE r.run_id = a.run_id AND a.expected > 0 AND r.last_sequence = a.expected AND r.epoch <= a.epoch
                AND ($2::text IS NULL OR (r.owner = $2 AND r.owner_epoch = a.epoch))
              RETURNING a.ord),
            f AS (SELECT a.* FROM a
              WHERE a.expected = 0 AND (SELECT creates FROM g) AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.run_id = a.run_id)),
            k AS (INSERT INTO idempotency_keys (key, run_id)
              SELECT key, run_id FROM f WHERE key IS NOT NULL ORDER BY ord
              ON CONFLICT (key) DO NOTHING RETURNING run_id),
            c AS (INSERT INTO runs (run_id, name, status, created_at, updated_at, epoch, last_sequence, view, checksum,
                owner, owner_epoch, placement)
              SELECT run_id, name, status, created_at, updated_at, epoch, n, view, checksum, $2, epoch, placement FROM f
              WHERE key IS NULL OR run_id IN (SELECT run_id FROM k)
              RETURNING run_id, epoch),
            w AS (INSERT INTO ownership (run_id, epoch, node, incarnation)
              SELECT run_id, epoch, $2, $3 FROM c WHERE $2::text IS NOT NULL),
            o AS (SELECT a.*, sum(n) OVER (ORDER BY ord) AS upto, sum(n) OVER () AS total FROM a
              WHERE ord IN (SELECT ord FROM u) OR run_id IN (SELECT run_id FROM c)),
            p AS (UPDATE feed SET position = position + (SELECT max(total) FROM o)
              WHERE one = 1 AND EXISTS (SELECT 1 FROM o)
              RETURNING position),
            e AS (INSERT INTO events (position, run_id, sequence, epoch, at, type, execution, data, checksum,
                step_id)
              SELECT p.position - o.total + o.upto - o.n + t.sequence - o.expected, o.run_id, t.sequence, o.epoch, t.at, t.type,
                t.execution, t.data, t.checksum, t.step_id
              FROM p, o, json_to_recordset(o.events)
                AS t(sequence bigint, at text, type text, execution int, data text, checksum bigint, step_id text)),
            d AS (DELETE FROM snapshots s USING o
              WHERE o.state IS NOT NULL AND s.run_id = o.run_id
                AND s.sequence < (SELECT max(sequence) FROM snapshots n WHERE n.run_id = o.run_id)),
            s AS (INSERT INTO snapshots (run_id, sequence, state, checksum)
              SELECT run_id, expected + n, state, state_checksum FROM o WHERE state IS NOT NULL
              ON CONFLICT (run_id, sequence) DO UPDATE SET state = excluded.state, checksum = excluded.checksum),
            q AS (INSERT INTO receipts (run_id, receipt, checksum)
              SELECT o.run_id, t.receipt, t.checksum
              FROM o, json_to_recordset(o.receipts) AS t(i int, receipt text, checksum bigint) ORDER BY o.ord, t.i),
            x AS (INSERT INTO reported_usage (position, at_ms, name, workspace, cost, estimated, tokens, unknown_steps)
              SELECT p.position - o.total + o.upto, o.at_ms, o.name, o.workspace, o.cost, o.estimated, o.tokens,
                o.unknown_steps
              FROM p, o WHERE o.at_ms IS NOT NULL)
            SELECT o.ord, (p.position - o.total + o.upto)::bigint FROM o, p""";

    private final int parts;
    private final AppendProbe probe;
    private final Tuple values;

    /**
     * Builds the statement's values.
     *
     * @param parts at most one for each run
     * @param registration of the appending node; absent if a single process uses the database
     */
    PgAppend(List<Part> parts, Optional<NodeRegistration> registration, AppendProbe probe) {
        probe.before(AppendProbe.Point.STATEMENT);
        this.parts = parts.size();
        this.probe = probe;
        ArrayNode rows = Json.MAPPER.createArrayNode();
        for (Part part : parts) {
            part.row().put("ord", rows.size());
            registration.ifPresent(node ->
                    part.row().put("placement", node.placement(part.append().row())));
            rows.add(part.row());
        }
        this.values = Tuple.of(
                rows.toString(),
                registration.map(NodeRegistration::node).orElse(null),
                registration.map(NodeRegistration::incarnation).orElse(null));
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
            return IntStream.range(0, parts)
                    .mapToObj(ord -> Optional.ofNullable(durable.get(ord)))
                    .toList();
        });
    }
}
