package dev.loopkeeper.store.sql;

import java.util.List;

/**
 * A query limited by bytes as well as by rows: it returns no further row once one column has {@code mostBytes}. It
 * returns at least one row, if any.
 *
 * @param large the column whose bytes are counted; column 0 of each row
 * @param columns further columns, separated by commas
 * @param source text after {@code FROM}, with conditions
 * @param order text after {@code ORDER BY}
 * @param limited whether the last value is the maximum number of rows
 * @param values for each {@code ?}, in order
 */
public record BoundedSelect(
        String large,
        String columns,
        String source,
        String order,
        boolean limited,
        List<Object> values,
        long mostBytes) {
    /** Returns the query without its byte limit, with a further column text after the others; empty for none. */
    public String sql(String counting) {
        return "SELECT " + large + ", " + columns + counting + " FROM " + source + " ORDER BY " + order
                + (limited ? " LIMIT ?" : "");
    }
}
