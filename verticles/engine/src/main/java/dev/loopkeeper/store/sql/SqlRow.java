package dev.loopkeeper.store.sql;

/**
 * One row of a result; columns are counted from 0. Reading a damaged value does not fail, since the row's checksum
 * reveals it.
 */
@FunctionalInterface
public interface SqlRow {
    /** Returns the driver's value; null for NULL. */
    Object value(int column);

    /** Returns null for NULL. */
    default String text(int column) {
        Object value = value(column);
        return value == null ? null : value.toString();
    }

    /** Returns 0 for NULL. */
    default long number(int column) {
        return value(column) instanceof Number number ? number.longValue() : 0;
    }
}
