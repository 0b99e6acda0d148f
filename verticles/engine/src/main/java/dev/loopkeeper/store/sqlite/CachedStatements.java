package dev.loopkeeper.store.sqlite;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** Statements of one connection, each prepared once. */
final class CachedStatements {
    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    CachedStatements(Connection connection) {
        this.connection = connection;
    }

    /** Returns the statement with these values; its next use changes them. */
    PreparedStatement of(String sql, Object... values) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        for (int column = 0; column < values.length; column++) {
            statement.setObject(column + 1, values[column]);
        }
        return statement;
    }

    /** Returns the number that this query finds, or 0. */
    long number(String query) throws SQLException {
        try (ResultSet row = of(query).executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        }
    }
}
