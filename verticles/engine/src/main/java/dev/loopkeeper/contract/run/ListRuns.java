package dev.loopkeeper.contract.run;

import java.util.Optional;
import java.util.Set;

/**
 * Question: which runs are there, newest first.
 *
 * @param statuses wire forms; empty: all
 * @param limit 1 to 1000
 * @param prefix with which their ids begin; absent: any
 */
public record ListRuns(Set<String> statuses, int limit, Optional<String> cursor, Optional<String> prefix) {
    /** Whatever their ids. */
    public ListRuns(Set<String> statuses, int limit, Optional<String> cursor) {
        this(statuses, limit, cursor, Optional.empty());
    }
}
