package dev.loopkeeper.request;

import java.util.Optional;

/** A request that is not understood. It has no stack trace: it is an answer, not an accident. */
public final class RequestProblem extends RuntimeException {
    private final transient Optional<String> path;
    private final transient Optional<String> suggestion;

    private RequestProblem(Optional<String> path, String detail, Optional<String> suggestion) {
        super(path.map(place -> place + " " + detail).orElse(detail), null, false, false);
        this.path = path;
        this.suggestion = suggestion;
    }

    /** The request as a whole is wrong. */
    static RequestProblem whole(String detail) {
        return new RequestProblem(Optional.empty(), detail, Optional.empty());
    }

    /** The member at this path is wrong. */
    public static RequestProblem at(String path, String detail) {
        return new RequestProblem(Optional.of(path), detail, Optional.empty());
    }

    static RequestProblem unknown(String path, String detail, Optional<String> suggestion) {
        return new RequestProblem(Optional.of(path), detail, suggestion);
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
