package dev.loopkeeper.work;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Searches a failure and its causes. */
public final class Causes {
    /** Longest chain of causes that is followed: an exception may be its own cause. */
    private static final int DEEPEST = 20;

    private Causes() {}

    /** The outermost of this kind. */
    public static <T extends Throwable> Optional<T> first(Throwable failure, Class<T> kind) {
        return chain(failure).filter(kind::isInstance).map(kind::cast).findFirst();
    }

    /** All that they say, in lower case, each on a line of its own. */
    public static String texts(Throwable failure) {
        return chain(failure)
                .map(known -> String.valueOf(known.getMessage()))
                .reduce("", (before, more) -> before + '\n' + more)
                .toLowerCase(Locale.ROOT);
    }

    /** Returns the message of the innermost cause, or its type. */
    public static String innermost(Throwable failure) {
        return chain(failure)
                .reduce((outer, inner) -> inner)
                .map(cause -> cause.getMessage() == null ? cause.toString() : cause.getMessage())
                .orElseThrow();
    }

    private static Stream<Throwable> chain(Throwable failure) {
        return Stream.iterate(failure, known -> known != null, Throwable::getCause)
                .limit(DEEPEST);
    }
}
