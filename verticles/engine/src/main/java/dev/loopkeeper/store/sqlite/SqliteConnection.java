package dev.loopkeeper.store.sqlite;

import dev.loopkeeper.store.sql.BoundedRows;
import dev.loopkeeper.store.sql.BoundedSelect;
import dev.loopkeeper.store.sql.SqlDialect;
import dev.loopkeeper.store.sql.SqlRow;
import dev.loopkeeper.store.sql.StoreConnection;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Executes statements on one connection; each is complete when its future is returned. One thread at a time. */
class SqliteConnection implements StoreConnection {
    private final Connection connection;
    private final SqlDialect dialect;

    SqliteConnection(Connection connection, StoreFailures failures) {
        this.connection = connection;
        // SQLite has one writer only, and one process owns all runs.
        this.dialect = new SqlDialect(
                "SELECT seq FROM sqlite_sequence WHERE name = 'events'",
                "instr",
                "",
                "",
                (run, createdAt, row, column) -> {},
                true,
                failures::damaged);
    }

    /** Returns the result of a completed future, or throws its failure. */
    static <T> T result(Future<T> complete) throws SQLException {
        Throwable cause = complete.cause();
        if (cause instanceof SQLException refused) {
            throw refused;
        }
        if (cause instanceof Error broken) {
            throw broken;
        }
        if (cause != null) {
            throw (RuntimeException) cause;
        }
        return complete.result();
    }

    @Override
    public SqlDialect dialect() {
        return dialect;
    }

    @Override
    public <T> Future<List<T>> all(String sql, Function<SqlRow, T> reader, Object... values) {
        return read(sql, reader, values, Long.MAX_VALUE).map(BoundedRows::rows);
    }

    @Override
    public <T> Future<BoundedRows<T>> bounded(BoundedSelect select, Function<SqlRow, T> reader) {
        return read(select.sql(""), reader, select.values().toArray(), select.mostBytes());
    }

    /** Reads no further row once the first columns have this many bytes. */
    private <T> Future<BoundedRows<T>> read(String sql, Function<SqlRow, T> reader, Object[] values, long mostBytes) {
        List<T> found = new ArrayList<>();
        long bytes = 0;
        try (PreparedStatement statement = prepare(sql, values);
                ResultSet rows = statement.executeQuery()) {
            int columns = rows.getMetaData().getColumnCount();
            while (bytes < mostBytes && rows.next()) {
                Object[] row = new Object[columns];
                for (int column = 0; column < columns; column++) {
                    row[column] = rows.getObject(column + 1);
                }
                bytes += row[0] instanceof String large ? large.length() : 0;
                found.add(reader.apply(column -> row[column]));
            }
        } catch (SQLException | RuntimeException refused) {
            return Future.failedFuture(refused);
        }
        return Future.succeededFuture(new BoundedRows<>(found, bytes >= mostBytes));
    }

    @Override
    public Future<Void> change(String sql, Object... values) {
        try (PreparedStatement statement = prepare(sql, values)) {
            statement.executeUpdate();
            return Future.succeededFuture();
        } catch (SQLException refused) {
            return Future.failedFuture(refused);
        }
    }

    private PreparedStatement prepare(String sql, Object... values) throws SQLException {
        return withValues(connection.prepareStatement(sql), values);
    }

    static PreparedStatement withValues(PreparedStatement statement, Object... values) throws SQLException {
        for (int column = 0; column < values.length; column++) {
            statement.setObject(column + 1, values[column]);
        }
        return statement;
    }
}
