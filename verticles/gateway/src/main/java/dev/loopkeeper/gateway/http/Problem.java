package dev.loopkeeper.gateway.http;

import dev.loopkeeper.rules.Refusal;
import java.util.Map;

/** An expected refusal for the client. It has no stack trace because it is an answer, not a bug. */
public final class Problem extends RuntimeException {
    static final String TOO_MANY_ANSWERS = "too-many-answers";

    private static final Map<String, Integer> STATUSES =
            Map.of("not-found", 404, "draining", 503, "store-unavailable", 503, "node-unreachable", 503);
    private static final int BAD_REQUEST = 400;
    private static final int CONFLICT = 409;

    private final int status;
    private final transient Refusal refusal;

    /** @param refusal with a message without secrets */
    Problem(int status, Refusal refusal) {
        super(refusal.message(), null, false, false);
        this.status = status;
        this.refusal = refusal;
    }

    public Problem(int status, String code, String detail) {
        this(status, new Refusal(code, detail));
    }

    /** A refusal of the scheduler, with the HTTP status of its code. */
    public Problem(Refusal refusal) {
        this(statusOf(refusal.code()), refusal);
    }

    /** Returns 400 for {@code invalid-...}, and 409 unless the code has its own status. */
    private static int statusOf(String code) {
        return code.startsWith("invalid-") ? BAD_REQUEST : STATUSES.getOrDefault(code, CONFLICT);
    }

    /** The store is unavailable or overloaded; the server continues automatically. */
    public static Problem storeUnavailable() {
        return new Problem(
                503, "store-unavailable", "the event store does not answer at the moment; retry in a few seconds");
    }

    /** Other large answers hold the memory that is available for them. */
    public static Problem tooManyAnswers() {
        return new Problem(
                503,
                TOO_MANY_ANSWERS,
                "too many large answers are in progress; retry in a few seconds, or request less with limit");
    }

    public static Problem notFound(String detail) {
        return new Problem(404, "not-found", detail);
    }

    public static Problem noSuchRun(String runId) {
        return notFound("there is no run " + runId + "; GET /api/v1/runs lists them");
    }

    public static Problem invalid(String detail) {
        return invalid(detail, Map.of());
    }

    static Problem invalid(String detail, Map<String, Object> details) {
        return new Problem(BAD_REQUEST, new Refusal("invalid-request", detail, details));
    }

    /** A member of a body or a query parameter is invalid. */
    public static Problem invalidAt(String path, String detail) {
        return invalid(path + " " + detail, Map.of("path", path));
    }

    int status() {
        return status;
    }

    public String code() {
        return refusal.code();
    }

    Map<String, Object> details() {
        return refusal.details();
    }
}
