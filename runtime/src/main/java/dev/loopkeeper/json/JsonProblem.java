package dev.loopkeeper.json;

import java.util.Optional;

/** JSON from outside that is not as it must be. It has no stack trace: it is an answer, not an accident. */
public final class JsonProblem extends RuntimeException {
    private final transient Optional<String> path;
    private final transient Optional<String> suggestion;

    private JsonProblem(Optional<String> path, String detail, Optional<String> suggestion) {
        super(path.map(place -> place + " " + detail).orElse(detail), null, false, false);
        this.path = path;
        this.suggestion = suggestion;
    }

    /** All of it is wrong. */
    static JsonProblem whole(String detail) {
        return new JsonProblem(Optional.empty(), detail, Optional.empty());
    }

    /** The member at this path is wrong. */
    public static JsonProblem at(String path, String detail) {
        return new JsonProblem(Optional.of(path), detail, Optional.empty());
    }

    static JsonProblem unknown(String path, String detail, Optional<String> suggestion) {
        return new JsonProblem(Optional.of(path), detail, suggestion);
    }

    /** The member that is wrong, e.g. {@code budget.costUsd}; absent when it is the whole. */
    public Optional<String> path() {
        return path;
    }

    /** The known name that was probably meant. */
    public Optional<String> suggestion() {
        return suggestion;
    }
}
