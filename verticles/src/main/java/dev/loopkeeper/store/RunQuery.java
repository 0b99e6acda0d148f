package dev.loopkeeper.store;

import java.util.Optional;
import java.util.Set;

/**
 * Which runs to list.
 *
 * @param statuses wire forms; empty: all
 * @param limit 1 to 1000
 * @param cursor a {@link RunPage#nextCursor()}
 */
public record RunQuery(Set<String> statuses, int limit, Optional<String> cursor) {}
