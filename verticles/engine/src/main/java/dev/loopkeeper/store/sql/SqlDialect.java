package dev.loopkeeper.store.sql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.RowChecksum;
import dev.loopkeeper.store.StoreException;
import java.time.Instant;
import java.util.function.Function;

/**
 * Differences between databases for {@link StoreQueries} and {@link OutboxQueries}.
 *
 * @param lastPosition query for the position of the newest event
 * @param indexOf function that finds a text in another and counts from 1, e.g. {@code instr}
 * @param forUpdate end of a query that locks its rows until the transaction ends
 * @param ownerColumns further columns of {@code runs} for {@code owner}, each after a comma; empty for none
 * @param owner adds to a run what changes without an event
 * @param positionInChecksum whether the checksum of an event includes its position
 * @param failure see {@link #damaged}
 */
public record SqlDialect(
        String lastPosition,
        String indexOf,
        String forUpdate,
        String ownerColumns,
        OwnerReader owner,
        boolean positionInChecksum,
        Function<String, StoreException> failure) {
    /** Reads the owner of a run. */
    public interface OwnerReader {
        /** Adds the owner to the run. The further columns begin at {@code column}. */
        void addTo(ObjectNode run, Instant createdAt, SqlRow row, int column);
    }

    /**
     * Returns the failure for content with a wrong checksum. {@code what} is a sentence's subject, e.g.
     * {@code event 7 of run r}.
     */
    StoreException damaged(String what) {
        return failure.apply(what);
    }

    /** Reads a row of a name, a value as JSON, and the checksum of both. */
    <T> T named(SqlRow row, Class<T> type, String kind) {
        try {
            if (row.number(2) == RowChecksum.of(row.text(0), row.text(1))) {
                return Json.MAPPER.readValue(row.text(1), type);
            }
        } catch (JsonProcessingException unreadable) {
            // The same as a wrong checksum.
        }
        throw damaged(kind + row.text(0));
    }
}
