package dev.loopkeeper.store.sql;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A connection to a store's database. Statements have a {@code ?} for each value and are executed one after the other
 * in the caller's transaction.
 */
public interface StoreConnection {
    /** Returns the differences of this database. */
    SqlDialect dialect();

    /** Returns all rows of a query. */
    <T> Future<List<T>> all(String sql, Function<SqlRow, T> reader, Object... values);

    /** Returns the first rows of a query, up to its byte limit. */
    <T> Future<BoundedRows<T>> bounded(BoundedSelect select, Function<SqlRow, T> reader);

    /** Changes rows. */
    Future<Void> change(String sql, Object... values);

    /** Returns the first row of a query. */
    default <T> Future<Optional<T>> first(String sql, Function<SqlRow, T> reader, Object... values) {
        return all(sql, reader, values).map(found -> found.stream().findFirst());
    }
}
