package dev.loopkeeper.store.postgres;

import dev.loopkeeper.store.KeyTakenException;
import dev.loopkeeper.store.StaleAppendException;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import java.util.Optional;

/** Finds out why {@link PgAppend} did not append. */
final class AppendRefusal {
    private AppendRefusal() {}

    /** Returns why an append was refused; empty if the reason no longer holds. */
    static Future<Optional<RuntimeException>> of(
            SqlConnection connection, AppendEvents append, Optional<NodeRegistration> registration) {
        String sql = "SELECT r.last_sequence, r.epoch, k.run_id, r.owner, r.owner_epoch, n.node FROM (SELECT 1) one"
                + " LEFT JOIN runs r ON r.run_id = $1 LEFT JOIN idempotency_keys k ON k.key = $2"
                + " LEFT JOIN nodes n ON n.node = $3 AND n.incarnation = $4 AND n.state = 'live'";
        long under = registration.map(NodeRegistration::incarnation).orElse(0L);
        return PgStatements.all(
                        connection,
                        sql,
                        row -> registration
                                .flatMap(node -> lost(append, node, under, row))
                                .or(() -> outdated(append, row.getLong(0), row.getLong(1), row.getString(2))),
                        append.runId(),
                        append.idempotencyKey().orElse(null),
                        registration.map(NodeRegistration::node).orElse(null),
                        under)
                .map(found -> found.get(0));
    }

    /** Returns a failure if the node has lost its lease or the run. */
    private static Optional<RuntimeException> lost(
            AppendEvents append, NodeRegistration registration, long under, Row row) {
        if (row.getString(5) == null) {
            registration.fenced(under);
        }
        Long sequence = row.getLong(0);
        if (sequence == null) {
            return row.getString(5) == null ? Optional.of(registration.lost()) : Optional.empty();
        }
        boolean own = registration.node().equals(row.getString(3)) && row.getLong(4) == append.epoch();
        return own && row.getString(5) != null
                ? Optional.empty()
                : Optional.of(StaleAppendException.fenced(append.runId(), append.epoch(), row.getLong(4)));
    }

    private static Optional<RuntimeException> outdated(AppendEvents append, Long sequence, Long epoch, String keyOf) {
        long actual = sequence == null ? 0 : sequence;
        if (epoch != null && epoch > append.epoch()) {
            return Optional.of(StaleAppendException.fenced(append.runId(), append.epoch(), epoch));
        }
        if (actual != append.expectedSequence()) {
            return Optional.of(new StaleAppendException(append.runId(), append.expectedSequence(), actual));
        }
        return keyOf == null || keyOf.equals(append.runId())
                ? Optional.empty()
                : Optional.of(new KeyTakenException(append.idempotencyKey().orElseThrow(), keyOf));
    }
}
