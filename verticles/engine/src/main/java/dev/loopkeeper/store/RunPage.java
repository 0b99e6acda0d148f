package dev.loopkeeper.store;

import java.util.List;
import java.util.Optional;

/**
 * A page of runs, newest first.
 *
 * @param nextCursor opaque; absent at the end
 */
public record RunPage(List<RunRow> runs, Optional<String> nextCursor) {
    /** Returns whether the text has the form of a cursor. */
    public static boolean isCursor(String text) {
        try {
            return !RunCursor.parse(text).runId().isEmpty();
        } catch (IllegalArgumentException notOurs) {
            return false;
        }
    }
}
