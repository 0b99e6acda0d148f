package dev.loopkeeper.store.postgres;

import dev.loopkeeper.store.GivenUp;
import dev.loopkeeper.store.OutboxCursor;
import dev.loopkeeper.store.OutboxState;
import dev.loopkeeper.store.OutboxTarget;
import dev.loopkeeper.store.RowChecksum;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What targets of notifications are owed; on one connection, in one transaction. */
final class PgOutbox {
    private static final Logger LOG = LoggerFactory.getLogger(PgOutbox.class);
    private static final String POSITION = "SELECT value FROM meta WHERE key = 'outbox'";

    private final SqlConnection connection;

    PgOutbox(SqlConnection connection) {
        this.connection = connection;
    }

    Future<Optional<OutboxState>> state() {
        String owing = "SELECT run_id, notification, sequence, owed, tries, checksum FROM outbox WHERE owed > sequence"
                + " ORDER BY run_id, notification";
        return PgStatements.first(connection, POSITION, row -> Long.parseLong(row.getString(0)))
                .compose(position -> position.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : PgStatements.all(connection, owing, PgOutbox::cursor)
                                .map(found -> Optional.of(new OutboxState(
                                        position.get(),
                                        found.stream().flatMap(Optional::stream).toList()))));
    }

    /** Without one that is damaged: the other targets are told all the same. */
    private static Optional<OutboxCursor> cursor(Row row) {
        OutboxTarget target = new OutboxTarget(row.getString(0), row.getInteger(1));
        OutboxCursor cursor = new OutboxCursor(target, row.getLong(2), row.getLong(3), row.getInteger(4));
        if (checksum(cursor) != row.getLong(5)) {
            LOG.error("what {} is owed is damaged and not sent", target);
            return Optional.empty();
        }
        return Optional.of(cursor);
    }

    private static long checksum(OutboxCursor cursor) {
        OutboxTarget target = cursor.target();
        return RowChecksum.of(target.runId(), target.notification(), cursor.sequence(), cursor.owed(), cursor.tries());
    }

    Future<List<GivenUp>> givenUp(String runId) {
        String query = "SELECT notification, sequence, tries, reason, at FROM outbox_given_up WHERE run_id = $1"
                + " ORDER BY sequence, notification";
        return PgStatements.all(
                connection,
                query,
                row -> new GivenUp(
                        new OutboxTarget(runId, row.getInteger(0)),
                        row.getLong(1),
                        row.getInteger(2),
                        row.getString(3),
                        Instant.parse(row.getString(4))),
                runId);
    }

    Future<Void> begin(OutboxState start) {
        return PgStatements.first(connection, POSITION, row -> row.getString(0))
                .compose(begun -> begun.isPresent()
                        ? Future.succeededFuture()
                        : owe(start.position(), start.owing()).mapEmpty());
    }

    Future<List<OutboxCursor>> owe(long position, List<OutboxCursor> owed) {
        Future<List<OutboxCursor>> all = Future.succeededFuture(new ArrayList<>());
        for (OutboxCursor cursor : owed) {
            all = all.compose(now -> owe(cursor).map(raised -> {
                now.add(raised);
                return now;
            }));
        }
        return all.compose(now -> PgStatements.change(
                        connection,
                        "INSERT INTO meta (key, value) VALUES ('outbox', $1)"
                                + " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                        Long.toString(position))
                .map(kept -> now));
    }

    private Future<OutboxCursor> owe(OutboxCursor cursor) {
        return find(cursor.target()).compose(found -> {
            OutboxCursor known = found.orElse(cursor);
            long newest = Math.max(known.owed(), cursor.owed());
            OutboxCursor raised = new OutboxCursor(cursor.target(), known.sequence(), newest, known.tries());
            return put(raised).map(kept -> raised);
        });
    }

    Future<Void> tried(OutboxCursor after, Optional<GivenUp> givenUp) {
        OutboxTarget target = after.target();
        return PgStatements.first(connection, "SELECT 1 FROM runs WHERE run_id = $1", row -> 1, target.runId())
                .compose(kept -> kept.isPresent() ? move(after, givenUp) : forget(target))
                .mapEmpty();
    }

    private Future<Integer> forget(OutboxTarget target) {
        String sql = "DELETE FROM outbox WHERE run_id = $1 AND notification = $2";
        return PgStatements.change(connection, sql, target.runId(), target.notification());
    }

    private Future<Integer> move(OutboxCursor after, Optional<GivenUp> givenUp) {
        return find(after.target())
                .compose(known -> known.filter(before -> before.sequence() <= after.sequence())
                        .map(before -> put(new OutboxCursor(
                                after.target(),
                                after.sequence(),
                                Math.max(before.owed(), after.owed()),
                                after.tries())))
                        .orElseGet(() -> Future.succeededFuture(0)))
                .compose(moved -> givenUp.map(this::put).orElseGet(() -> Future.succeededFuture(moved)));
    }

    private Future<Optional<OutboxCursor>> find(OutboxTarget target) {
        String query = "SELECT sequence, owed, tries FROM outbox WHERE run_id = $1 AND notification = $2 FOR UPDATE";
        return PgStatements.first(
                connection,
                query,
                row -> new OutboxCursor(target, row.getLong(0), row.getLong(1), row.getInteger(2)),
                target.runId(),
                target.notification());
    }

    private Future<Integer> put(OutboxCursor cursor) {
        String sql = "INSERT INTO outbox (run_id, notification, sequence, owed, tries, checksum)"
                + " VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (run_id, notification) DO UPDATE SET"
                + " sequence = excluded.sequence, owed = excluded.owed, tries = excluded.tries,"
                + " checksum = excluded.checksum";
        return PgStatements.change(
                connection,
                sql,
                cursor.target().runId(),
                cursor.target().notification(),
                cursor.sequence(),
                cursor.owed(),
                cursor.tries(),
                checksum(cursor));
    }

    private Future<Integer> put(GivenUp delivery) {
        String sql = "INSERT INTO outbox_given_up (run_id, notification, sequence, tries, reason, at)"
                + " VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING";
        return PgStatements.change(
                connection,
                sql,
                delivery.target().runId(),
                delivery.target().notification(),
                delivery.sequence(),
                delivery.tries(),
                // Whatever an endpoint answered: the database refuses this one character.
                delivery.reason().replace('\0', '\uFFFD'),
                delivery.at().toString());
    }
}
