package dev.loopkeeper.store.postgres;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Executes statements on one connection. */
final class PgStatements {
    /** Begins a transaction in which all queries see the same data. */
    static final String SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

    private PgStatements() {}

    /** Executes work in a transaction: commits it, or rolls back and fails with the same failure. */
    static <T> Future<T> transaction(SqlConnection connection, String begin, Supplier<Future<T>> work) {
        return connection
                .query(begin)
                .execute()
                .compose(begun -> work.get())
                .compose(
                        done -> connection.query("COMMIT").execute().map(committed -> done),
                        failed -> connection
                                .query("ROLLBACK")
                                .execute()
                                .transform(rolledBack -> Future.failedFuture(failed)));
    }

    static <T> Future<List<T>> all(SqlConnection connection, String sql, Function<Row, T> reader, Object... values) {
        return connection.preparedQuery(sql).execute(Tuple.wrap(values)).map(rows -> {
            List<T> found = new ArrayList<>(rows.size());
            rows.forEach(row -> found.add(reader.apply(row)));
            return found;
        });
    }

    static <T> Future<Optional<T>> first(
            SqlConnection connection, String sql, Function<Row, T> reader, Object... values) {
        return all(connection, sql, reader, values).map(found -> found.stream().findFirst());
    }

    /** Returns the number of changed rows. */
    static Future<Integer> change(SqlConnection connection, String sql, Object... values) {
        return connection.preparedQuery(sql).execute(Tuple.wrap(values)).map(rows -> rows.rowCount());
    }

    static String[] texts(Iterable<String> values) {
        List<String> all = new ArrayList<>();
        values.forEach(all::add);
        return all.toArray(String[]::new);
    }
}
