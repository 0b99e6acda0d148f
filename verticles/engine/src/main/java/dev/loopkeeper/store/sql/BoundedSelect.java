package dev.loopkeeper.store.sql;

import java.util.List;

/**
 * A query that ends by bytes as well as by rows: it takes no further row once those before have {@code mostBytes} in one
 * column. There is always one row, if any.
 *
 * @param large the column whose bytes are counted; column 0 of each row
 * @param columns those that follow, separated by commas
 * @param source what stands after {@code FROM}, with its conditions
 * @param order what stands after {@code ORDER BY}
 * @param limited whether the last value is the greatest number of rows
 * @param values for each {@code ?}, in the order of the text
 */
public record BoundedSelect(
        String large,
        String columns,
        String source,
        String order,
        boolean limited,
        List<Object> values,
        long mostBytes) {
    /** The query without its bound in bytes, and with this column at the end of each row; empty for none. */
    public String sql(String counting) {
        return "SELECT " + large + ", " + columns + counting + " FROM " + source + " ORDER BY " + order
                + (limited ? " LIMIT ?" : "");
    }
}
