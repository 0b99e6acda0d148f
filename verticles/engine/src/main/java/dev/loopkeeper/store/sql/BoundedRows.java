package dev.loopkeeper.store.sql;

import java.util.List;

/**
 * Result of a {@link BoundedSelect}.
 *
 * @param full whether the rows reached the byte limit, so that there may be more
 */
public record BoundedRows<T>(List<T> rows, boolean full) {}
