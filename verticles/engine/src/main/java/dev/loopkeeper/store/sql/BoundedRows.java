package dev.loopkeeper.store.sql;

import java.util.List;

/**
 * What a {@link BoundedSelect} has found.
 *
 * @param full whether these rows have the bytes that end it, so that more rows may follow
 */
public record BoundedRows<T>(List<T> rows, boolean full) {}
