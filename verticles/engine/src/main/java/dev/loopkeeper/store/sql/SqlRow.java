package dev.loopkeeper.store.sql;

/** One row of an answer. Columns are counted from 0. A damaged value fails no read: the checksum of its row reveals it. */
@FunctionalInterface
public interface SqlRow {
    /** As the driver gives it; null for NULL. */
    Object value(int column);

    /** Null for NULL. */
    default String text(int column) {
        Object value = value(column);
        return value == null ? null : value.toString();
    }

    /** 0 for NULL. */
    default long number(int column) {
        return value(column) instanceof Number number ? number.longValue() : 0;
    }
}
