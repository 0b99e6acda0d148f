package dev.loopkeeper.gateway.http;

import dev.loopkeeper.rules.Refusal;
import java.util.Map;

/**
 * An expected "no" on its way to the client, thrown or carried by a failed future. It has no stack trace: it is an
 * answer, not an accident.
 */
public final class Problem extends RuntimeException {
    static final String TOO_MANY_ANSWERS = "too-many-answers";

    private static final Map<String, Integer> STATUSES =
            Map.of("not-found", 404, "draining", 503, "store-unavailable", 503, "node-unreachable", 503);
    private static final int BAD_REQUEST = 400;
    private static final int CONFLICT = 409;

    private final int status;
    private final transient Refusal refusal;

    /** @param refusal its message is free of secrets */
    Problem(int status, Refusal refusal) {
        super(refusal.message(), null, false, false);
        this.status = status;
        this.refusal = refusal;
    }

    public Problem(int status, String code, String detail) {
        this(status, new Refusal(code, detail));
    }

    /** What the scheduler refused, with the status that belongs to its code. */
    public Problem(Refusal refusal) {
        this(statusOf(refusal.code()), refusal);
    }

    /** The status that belongs to a code of the scheduler: 400 for {@code invalid-...}, 409 where nothing else is said. */
    private static int statusOf(String code) {
        return code.startsWith("invalid-") ? BAD_REQUEST : STATUSES.getOrDefault(code, CONFLICT);
    }

    /** The store is unavailable, or has more to answer than it can; the server continues automatically. */
    public static Problem storeAway() {
        return new Problem(
                503, "store-unavailable", "the event store does not answer at the moment; ask again in a few seconds");
    }

    /** Others hold what memory there is for large answers. */
    public static Problem tooManyAnswers() {
        return new Problem(
                503,
                TOO_MANY_ANSWERS,
                "large answers wait to be made for others, or to be read by them; ask again in a few seconds, or for less by limit");
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

    /** A member of a body or a query that is wrong. */
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
