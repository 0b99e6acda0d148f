package dev.loopkeeper.store;

import java.util.Optional;
import java.util.Set;

/**
 * Selects runs for a list.
 *
 * @param statuses wire names; empty: all
 * @param limit 1 to 1000
 * @param cursor a {@link RunPage#nextCursor()}
 * @param prefix beginning of run ids; absent: any
 * @param text part of the id or name, case-insensitive for a to z; absent: any
 */
public record RunQuery(
        Set<String> statuses, int limit, Optional<String> cursor, Optional<String> prefix, Optional<String> text) {
    private static final int MOST = 1000;

    /** With any id or name that has the prefix. */
    public RunQuery(Set<String> statuses, int limit, Optional<String> cursor, Optional<String> prefix) {
        this(statuses, limit, cursor, prefix, Optional.empty());
    }

    /** With any id. */
    public RunQuery(Set<String> statuses, int limit, Optional<String> cursor) {
        this(statuses, limit, cursor, Optional.empty());
    }

    /** Fails with {@link IllegalArgumentException} for another limit or an invalid cursor. */
    public RunQuery {
        if (limit < 1 || limit > MOST) {
            throw new IllegalArgumentException("limit must be 1 to " + MOST + ", was " + limit);
        }
        if (cursor.isPresent() && !RunPage.isCursor(cursor.get())) {
            throw new IllegalArgumentException("not a cursor of this store: " + cursor.get());
        }
    }
}
