package dev.loopkeeper.store.sql;

import dev.loopkeeper.store.Outbox.OutboxCursor;
import dev.loopkeeper.store.Outbox.OutboxState;
import dev.loopkeeper.store.Outbox.OutboxTarget;
import dev.loopkeeper.store.RowChecksum;
import dev.loopkeeper.work.InOrder;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pending deliveries of notifications, on one connection in one transaction. */
record OutboxQueries(StoreConnection connection) {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxQueries.class);
    private static final String POSITION = "SELECT value FROM meta WHERE key = 'outbox'";

    Future<Optional<OutboxState>> state() {
        String behind = "SELECT run_id, notification, sequence, newest_pending, tries, checksum FROM outbox"
                + " WHERE newest_pending > sequence ORDER BY run_id, notification";
        return connection
                .first(POSITION, row -> Long.parseLong(row.text(0)))
                .compose(position -> position.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : connection
                                .all(behind, OutboxQueries::intact)
                                .map(found -> Optional.of(new OutboxState(
                                        position.get(),
                                        found.stream().flatMap(Optional::stream).toList()))));
    }

    /** Empty for a damaged row, which is logged: the other targets are notified all the same. */
    private static Optional<OutboxCursor> intact(SqlRow row) {
        OutboxTarget target = new OutboxTarget(row.text(0), (int) row.number(1));
        OutboxCursor cursor = new OutboxCursor(target, row.number(2), row.number(3), (int) row.number(4));
        if (checksum(cursor) != row.number(5)) {
            LOG.error("the pending deliveries of {} are damaged and not sent", target);
            return Optional.empty();
        }
        return Optional.of(cursor);
    }

    private static long checksum(OutboxCursor cursor) {
        OutboxTarget target = cursor.target();
        return RowChecksum.of(
                target.runId(), target.notification(), cursor.sequence(), cursor.newestPending(), cursor.tries());
    }

    Future<Optional<String>> answerKey(Optional<String> fresh) {
        String add = "INSERT INTO meta (key, value) VALUES ('answer-key', ?) ON CONFLICT (key) DO NOTHING";
        return fresh.map(key -> connection.change(add, key))
                .orElseGet(Future::succeededFuture)
                .compose(added ->
                        connection.first("SELECT value FROM meta WHERE key = 'answer-key'", row -> row.text(0)));
    }

    Future<Void> begin(OutboxState start) {
        return connection
                .first(POSITION, row -> row.text(0))
                .compose(begun -> begun.isPresent()
                        ? Future.succeededFuture()
                        : addPending(start.position(), start.pending()).mapEmpty());
    }

    Future<List<OutboxCursor>> addPending(long position, List<OutboxCursor> pending) {
        List<OutboxCursor> raised = new ArrayList<>();
        String sql = "INSERT INTO meta (key, value) VALUES ('outbox', ?)"
                + " ON CONFLICT (key) DO UPDATE SET value = excluded.value";
        return InOrder.each(pending, cursor -> raise(cursor).onSuccess(raised::add))
                .compose(all -> connection.change(sql, Long.toString(position)).map(raised));
    }

    private Future<OutboxCursor> raise(OutboxCursor cursor) {
        return find(cursor.target()).compose(found -> {
            OutboxCursor known = found.orElse(cursor);
            long newest = Math.max(known.newestPending(), cursor.newestPending());
            OutboxCursor raised = new OutboxCursor(cursor.target(), known.sequence(), newest, known.tries());
            return put(raised).map(raised);
        });
    }

    Future<Void> tried(OutboxCursor after) {
        OutboxTarget target = after.target();
        return connection
                .first("SELECT 1 FROM runs WHERE run_id = ?", row -> true, target.runId())
                .compose(kept -> kept.isPresent()
                        ? move(after)
                        : connection.change(
                                "DELETE FROM outbox WHERE run_id = ? AND notification = ?",
                                target.runId(),
                                target.notification()));
    }

    private Future<Void> move(OutboxCursor after) {
        return find(after.target())
                .compose(found -> found.isPresent() && found.get().sequence() <= after.sequence()
                        ? put(new OutboxCursor(
                                after.target(),
                                after.sequence(),
                                Math.max(found.get().newestPending(), after.newestPending()),
                                after.tries()))
                        : Future.succeededFuture());
    }

    private Future<Optional<OutboxCursor>> find(OutboxTarget target) {
        String sql = "SELECT sequence, newest_pending, tries FROM outbox WHERE run_id = ? AND notification = ?";
        return connection.first(
                sql + connection.dialect().forUpdate(),
                row -> new OutboxCursor(target, row.number(0), row.number(1), (int) row.number(2)),
                target.runId(),
                target.notification());
    }

    private Future<Void> put(OutboxCursor cursor) {
        return connection.change(
                "INSERT INTO outbox (run_id, notification, sequence, newest_pending, tries, checksum) VALUES (?, ?, ?, ?, ?, ?)"
                        + " ON CONFLICT (run_id, notification) DO UPDATE SET sequence = excluded.sequence,"
                        + " newest_pending = excluded.newest_pending, tries = excluded.tries, checksum = excluded.checksum",
                cursor.target().runId(),
                cursor.target().notification(),
                cursor.sequence(),
                cursor.newestPending(),
                cursor.tries(),
                checksum(cursor));
    }
}
