package dev.loopkeeper.store.postgres;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.sql.BoundedRows;
import dev.loopkeeper.store.sql.BoundedSelect;
import dev.loopkeeper.store.sql.SqlDialect;
import dev.loopkeeper.store.sql.SqlRow;
import dev.loopkeeper.store.sql.StoreConnection;
import dev.loopkeeper.view.Owner;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** Executes the shared queries of {@code store.sql} on one PostgreSQL connection. */
record PgStoreConnection(SqlConnection connection, SqlDialect dialect) implements StoreConnection {
    private static final String OWNER_COLUMNS =
            ", owner, owner_epoch, (SELECT to_char(since AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"
                    + " FROM ownership o WHERE o.run_id = runs.run_id AND o.epoch = runs.owner_epoch), "
                    + AwaitedNode.COLUMN;

    PgStoreConnection(SqlConnection connection, PgFailures failures) {
        this(
                connection,
                new SqlDialect(
                        "SELECT position FROM feed",
                        "strpos",
                        " FOR UPDATE",
                        OWNER_COLUMNS,
                        PgStoreConnection::addOwner,
                        false,
                        failures::damaged));
    }

    @Override
    public <T> Future<List<T>> all(String sql, Function<SqlRow, T> reader, Object... values) {
        return PgStatements.all(connection, numbered(sql), row -> reader.apply(row::getValue), values);
    }

    @Override
    public Future<Void> change(String sql, Object... values) {
        return PgStatements.change(connection, numbered(sql), values).mapEmpty();
    }

    /** Limits the bytes in the database, which does not send the rows beyond the limit. */
    @Override
    public <T> Future<BoundedRows<T>> bounded(BoundedSelect select, Function<SqlRow, T> reader) {
        String bytes = "octet_length(" + select.large() + ")";
        String part = select.sql(
                ", sum(" + bytes + ") OVER (ORDER BY " + select.order() + " ROWS UNBOUNDED PRECEDING) AS bytes_until");
        String sql = "SELECT * FROM (" + part + ") part WHERE bytes_until - " + bytes + " < " + select.mostBytes()
                + " ORDER BY " + select.order();
        return PgStatements.all(
                        connection,
                        numbered(sql),
                        row -> new Counted<>(reader.apply(row::getValue), bytesUntil(row)),
                        select.values().toArray())
                .map(found -> new BoundedRows<>(
                        found.stream().map(Counted::value).toList(),
                        !found.isEmpty() && found.get(found.size() - 1).bytes() >= select.mostBytes()));
    }

    private record Counted<T>(T value, long bytes) {}

    private static long bytesUntil(Row row) {
        return row.getLong(row.size() - 1);
    }

    /** Replaces each {@code ?} by {@code $1}, {@code $2} and so on. */
    private static String numbered(String sql) {
        String[] parts = sql.split("\\?", -1);
        StringBuilder numbered = new StringBuilder(parts[0]);
        for (int value = 1; value < parts.length; value++) {
            numbered.append('$').append(value).append(parts[value]);
        }
        return numbered.toString();
    }

    private static void addOwner(ObjectNode run, Instant createdAt, SqlRow row, int column) {
        String awaited = row.text(column + 3);
        if (awaited != null) {
            run.put("waitsFor", AwaitedNode.text(awaited));
        }
        String node = row.text(column);
        if (node != null) {
            String since = row.text(column + 2);
            Owner owner = new Owner(node, row.number(column + 1), since == null ? createdAt : Instant.parse(since));
            run.set("owner", Json.MAPPER.valueToTree(owner));
        }
    }
}
