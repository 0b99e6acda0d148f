package dev.loopkeeper.contract.run;

import java.util.Optional;
import java.util.Set;

/**
 * Request: runs, newest first.
 *
 * @param statuses wire names; empty: all
 * @param limit 1 to 1000
 * @param prefix beginning of run ids; absent: any
 * @param text part of the id or name, case-insensitive for a to z; absent: any
 */
public record ListRuns(
        Set<String> statuses, int limit, Optional<String> cursor, Optional<String> prefix, Optional<String> text) {
    /** With any id or name that has the prefix. */
    public ListRuns(Set<String> statuses, int limit, Optional<String> cursor, Optional<String> prefix) {
        this(statuses, limit, cursor, prefix, Optional.empty());
    }

    /** With any id. */
    public ListRuns(Set<String> statuses, int limit, Optional<String> cursor) {
        this(statuses, limit, cursor, Optional.empty());
    }
}
