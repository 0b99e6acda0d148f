package dev.loopkeeper.store.sql;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.store.StoreException;
import java.time.Instant;

/** In what databases differ for {@link StoreQueries} and {@link OutboxQueries}. */
public interface SqlDialect {
    /** The query for the position of the newest event. */
    String lastPosition();

    /** The function that finds a text in another and counts from 1, e.g. {@code instr}. */
    String indexOf();

    /** Ends a query whose rows no other transaction may change before this one is over. */
    String forUpdate();

    /** Further columns of {@code runs} for {@link #addOwner}, each after a comma; empty for none. */
    String ownerColumns();

    /** Adds to a run what changes without an event. The further columns begin at {@code column}. */
    void addOwner(ObjectNode run, Instant createdAt, SqlRow row, int column);

    /** The checksum of an event's row. */
    long eventChecksum(long position, Object... content);

    /** The content is not what was once written. {@code what} is a sentence's subject, e.g. {@code event 7 of run r}. */
    StoreException damaged(String what);
}
