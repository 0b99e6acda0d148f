package dev.loopkeeper.store;

/**
 * A stop receipt of a run.
 *
 * @param id rises with each receipt of the store
 * @param json the receipt, e.g. {@code {"outcome": "gone", ...}}
 */
public record StoredReceipt(long id, String json) {}
