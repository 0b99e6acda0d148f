package dev.loopkeeper.store.sql;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.store.StoreException;
import java.time.Instant;

/** Differences between databases for {@link StoreQueries} and {@link OutboxQueries}. */
public interface SqlDialect {
    /** Returns the query for the position of the newest event. */
    String lastPosition();

    /** Returns the function that finds a text in another and counts from 1, e.g. {@code instr}. */
    String indexOf();

    /** Returns the end of a query that locks its rows until the transaction ends. */
    String forUpdate();

    /** Returns further columns of {@code runs} for {@link #addOwner}, each after a comma; empty for none. */
    String ownerColumns();

    /** Adds to a run what changes without an event. The further columns begin at {@code column}. */
    void addOwner(ObjectNode run, Instant createdAt, SqlRow row, int column);

    /** Returns the checksum of an event's row. */
    long eventChecksum(long position, Object... content);

    /**
     * Returns the failure for content with a wrong checksum. {@code what} is a sentence's subject, e.g.
     * {@code event 7 of run r}.
     */
    StoreException damaged(String what);
}
