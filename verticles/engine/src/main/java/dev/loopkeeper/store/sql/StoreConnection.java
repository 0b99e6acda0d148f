package dev.loopkeeper.store.sql;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A connection to the database of a store. Its statements have a {@code ?} for each value, and run one after the other in
 * the transaction of the code that hands it out.
 */
public interface StoreConnection {
    /** In what this database differs from others. */
    SqlDialect dialect();

    /** All rows of a query. */
    <T> Future<List<T>> all(String sql, Function<SqlRow, T> reader, Object... values);

    /** The first rows of a query, up to a number of bytes. */
    <T> Future<BoundedRows<T>> bounded(BoundedSelect select, Function<SqlRow, T> reader);

    /** Changes rows. */
    Future<Void> change(String sql, Object... values);

    /** The first row of a query. */
    default <T> Future<Optional<T>> first(String sql, Function<SqlRow, T> reader, Object... values) {
        return all(sql, reader, values).map(found -> found.stream().findFirst());
    }
}
