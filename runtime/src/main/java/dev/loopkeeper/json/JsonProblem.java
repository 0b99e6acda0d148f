package dev.loopkeeper.json;

import java.util.Optional;

/** Reports invalid JSON from outside. It has no stack trace, since bad input is an expected answer. */
public final class JsonProblem extends RuntimeException {
    private final transient Optional<String> path;
    private final transient Optional<String> suggestion;

    private JsonProblem(Optional<String> path, String detail, Optional<String> suggestion) {
        super(path.map(member -> member + " " + detail).orElse(detail), null, false, false);
        this.path = path;
        this.suggestion = suggestion;
    }

    /** The complete document is invalid. */
    static JsonProblem whole(String detail) {
        return new JsonProblem(Optional.empty(), detail, Optional.empty());
    }

    /** The member at this path is invalid. */
    public static JsonProblem at(String path, String detail) {
        return new JsonProblem(Optional.of(path), detail, Optional.empty());
    }

    static JsonProblem unknown(String path, String detail, Optional<String> suggestion) {
        return new JsonProblem(Optional.of(path), detail, suggestion);
    }

    /** The invalid member, e.g. {@code budget.costUsd}; absent when the complete document is invalid. */
    public Optional<String> path() {
        return path;
    }

    /** The known name that was probably meant. */
    public Optional<String> suggestion() {
        return suggestion;
    }
}
