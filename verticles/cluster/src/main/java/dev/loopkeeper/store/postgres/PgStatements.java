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

/** Statements on one connection. */
final class PgStatements {
    /** One instant for several questions. */
    static final String SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

    private PgStatements() {}

    /** Commits what this does, or takes it back and fails as it failed. */
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
                                .transform(takenBack -> Future.failedFuture(failed)));
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

    /** Answers how many rows it has changed. */
    static Future<Integer> change(SqlConnection connection, String sql, Object... values) {
        return connection.preparedQuery(sql).execute(Tuple.wrap(values)).map(rows -> rows.rowCount());
    }

    static String[] texts(Iterable<String> values) {
        List<String> all = new ArrayList<>();
        values.forEach(all::add);
        return all.toArray(String[]::new);
    }
}
