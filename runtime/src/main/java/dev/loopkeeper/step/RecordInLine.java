package dev.loopkeeper.step;

import java.util.Optional;
import java.util.function.Function;

/**
 * Finds a JSON record at the end of a line that begins with other text, as in {@code [12:00:01] {"type": "result"}}.
 */
public final class RecordInLine {
    /** Brackets tried in a line, since each attempt parses the rest of the line. */
    private static final int MOST_TRIED = 16;

    private RecordInLine() {}

    /**
     * The first suffix of the line that is a record.
     *
     * @param read parses a text as a record; empty when it is not a record
     */
    public static <T> Optional<T> find(String line, Function<String, Optional<T>> read) {
        int tried = 0;
        for (int at = 1; at < line.length() && tried < MOST_TRIED; at++) {
            if (mayBegin(line, at)) {
                tried++;
                Optional<T> found = read.apply(line.substring(at));
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    /** An object with a name in it, or a list of objects. */
    private static boolean mayBegin(String line, int at) {
        char found = line.charAt(at);
        if (found != '{' && found != '[') {
            return false;
        }
        int next = at + 1;
        while (next < line.length() && line.charAt(next) == ' ') {
            next++;
        }
        return next < line.length() && line.charAt(next) == (found == '{' ? '"' : '{');
    }
}
