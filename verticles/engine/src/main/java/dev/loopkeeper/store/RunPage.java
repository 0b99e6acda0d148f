package dev.loopkeeper.store;

import java.util.List;
import java.util.Optional;

/**
 * A part of the list of runs, newest first.
 *
 * @param nextCursor opaque; absent at the end
 */
public record RunPage(List<RunRow> runs, Optional<String> nextCursor) {
    /** Whether a page could have given this out as its cursor. */
    public static boolean isCursor(String text) {
        try {
            return !RunCursor.parse(text).runId().isEmpty();
        } catch (IllegalArgumentException notOurs) {
            return false;
        }
    }
}
