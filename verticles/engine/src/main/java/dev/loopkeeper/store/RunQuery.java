package dev.loopkeeper.store;

import java.util.Optional;
import java.util.Set;

/**
 * Which runs to list.
 *
 * @param statuses wire forms; empty: all
 * @param limit 1 to 1000
 * @param cursor a {@link RunPage#nextCursor()}
 * @param prefix with which their ids begin; absent: any
 * @param text that their id or name has somewhere, in whatever case of its letters a to z; absent: any
 */
public record RunQuery(
        Set<String> statuses, int limit, Optional<String> cursor, Optional<String> prefix, Optional<String> text) {
    private static final int MOST = 1000;

    /** Whatever else their ids and names have. */
    public RunQuery(Set<String> statuses, int limit, Optional<String> cursor, Optional<String> prefix) {
        this(statuses, limit, cursor, prefix, Optional.empty());
    }

    /** Whatever their ids. */
    public RunQuery(Set<String> statuses, int limit, Optional<String> cursor) {
        this(statuses, limit, cursor, Optional.empty());
    }

    /** Refuses, with {@link IllegalArgumentException}, another limit and what no page has given out as its cursor. */
    public RunQuery {
        if (limit < 1 || limit > MOST) {
            throw new IllegalArgumentException("limit must be 1 to " + MOST + ", was " + limit);
        }
        if (cursor.isPresent() && !RunPage.isCursor(cursor.get())) {
            throw new IllegalArgumentException("not a cursor of this store: " + cursor.get());
        }
    }
}
