package dev.loopkeeper.store.sqlite;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/** Writes several rows with one statement, since a statement costs about as much as a row. Used on one thread. */
final class ManyRows {
    private static final int[] AT_ONCE = {64, 8, 1};

    private final Connection connection;
    private final IntFunction<String> sql;
    private final Map<Integer, PreparedStatement> prepared = new TreeMap<>();
    private final List<Object[]> waiting = new ArrayList<>();

    /** @param sql returns the statement for a number of rows */
    ManyRows(Connection connection, IntFunction<String> sql) {
        this.connection = connection;
        this.sql = sql;
    }

    /** Returns a {@code VALUES} list of this many rows and columns. */
    static String values(int rows, int columns) {
        String row = "(" + String.join(", ", Collections.nCopies(columns, "?")) + ")";
        return "VALUES " + String.join(", ", Collections.nCopies(rows, row));
    }

    /** Adds a row, which is written by the next {@link #write} at the latest. */
    void add(Object... columns) throws SQLException {
        waiting.add(columns);
        if (waiting.size() == AT_ONCE[0]) {
            write();
        }
    }

    /** Writes all added rows. */
    void write() throws SQLException {
        int written = 0;
        for (int rows : AT_ONCE) {
            for (; waiting.size() - written >= rows; written += rows) {
                execute(waiting.subList(written, written + rows));
            }
        }
        waiting.clear();
    }

    private void execute(List<Object[]> rows) throws SQLException {
        PreparedStatement statement = statement(rows.size());
        int column = 0;
        for (Object[] row : rows) {
            for (Object value : row) {
                column++;
                statement.setObject(column, value);
            }
        }
        statement.executeUpdate();
    }

    private PreparedStatement statement(int rows) throws SQLException {
        PreparedStatement statement = prepared.get(rows);
        if (statement == null) {
            statement = connection.prepareStatement(sql.apply(rows));
            prepared.put(rows, statement);
        }
        return statement;
    }
}
