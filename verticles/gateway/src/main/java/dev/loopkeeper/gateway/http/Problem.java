package dev.loopkeeper.gateway.http;

import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.termination.RefusalCode;
import java.util.Map;

/** An expected refusal for the client. It has no stack trace because it is an answer, not a bug. */
public final class Problem extends RuntimeException {
    private final transient Refusal refusal;

    public Problem(RefusalCode code, String detail) {
        this(new Refusal(code, detail));
    }

    /** @param refusal with a message without secrets */
    public Problem(Refusal refusal) {
        super(refusal.message(), null, false, false);
        this.refusal = refusal;
    }

    /** The store is unavailable or overloaded; the server continues automatically. */
    public static Problem storeUnavailable() {
        return new Problem(
                RefusalCode.STORE_UNAVAILABLE, "the event store does not answer at the moment; retry in a few seconds");
    }

    /** Other large answers hold the memory that is available for them. */
    public static Problem tooManyAnswers() {
        return new Problem(
                RefusalCode.TOO_MANY_ANSWERS,
                "too many large answers are in progress; retry in a few seconds, or request less with limit");
    }

    public static Problem notFound(String detail) {
        return new Problem(RefusalCode.NOT_FOUND, detail);
    }

    public static Problem noSuchRun(String runId) {
        return notFound("there is no run " + runId + "; GET /api/v1/runs lists them");
    }

    public static Problem invalid(String detail) {
        return invalid(detail, Map.of());
    }

    static Problem invalid(String detail, Map<String, Object> details) {
        return new Problem(new Refusal(RefusalCode.INVALID_REQUEST, detail, details));
    }

    /** A member of a body or a query parameter is invalid. */
    public static Problem invalidAt(String path, String detail) {
        return invalid(path + " " + detail, Map.of("path", path));
    }

    int status() {
        return refusal.code().status();
    }

    public RefusalCode code() {
        return refusal.code();
    }

    Map<String, Object> details() {
        return refusal.details();
    }
}
