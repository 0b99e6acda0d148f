package dev.loopkeeper.contract.run;

import java.util.Optional;
import java.util.Set;

/**
 * Question: which runs are there, newest first.
 *
 * @param statuses wire forms; empty: all
 * @param limit 1 to 1000
 * @param prefix with which their ids begin; absent: any
 * @param text that their id or name has somewhere, in whatever case of its letters a to z; absent: any
 */
public record ListRuns(
        Set<String> statuses, int limit, Optional<String> cursor, Optional<String> prefix, Optional<String> text) {
    /** Whatever else their ids and names have. */
    public ListRuns(Set<String> statuses, int limit, Optional<String> cursor, Optional<String> prefix) {
        this(statuses, limit, cursor, prefix, Optional.empty());
    }

    /** Whatever their ids. */
    public ListRuns(Set<String> statuses, int limit, Optional<String> cursor) {
        this(statuses, limit, cursor, Optional.empty());
    }
}
