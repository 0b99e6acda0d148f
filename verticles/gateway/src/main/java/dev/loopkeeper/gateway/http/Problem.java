package dev.loopkeeper.gateway.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import java.util.Map;

/**
 * An expected "no" on its way to the client, thrown or carried by a failed future. It has no stack trace: it is an
 * answer, not an accident.
 */
public final class Problem extends RuntimeException {
    private static final Map<String, Integer> STATUSES =
            Map.of("not-found", 404, "draining", 503, "store-unavailable", 503);
    private static final int BAD_REQUEST = 400;
    private static final int CONFLICT = 409;

    private final int status;
    private final String code;
    private final transient ObjectNode details;

    /**
     * One problem.
     *
     * @param code stable, e.g. {@code not-found}
     * @param detail one sentence with the remedy, free of secrets
     * @param details further members of the document
     */
    public Problem(int status, String code, String detail, ObjectNode details) {
        super(detail, null, false, false);
        this.status = status;
        this.code = code;
        this.details = details;
    }

    public Problem(int status, String code, String detail) {
        this(status, code, detail, Json.MAPPER.createObjectNode());
    }

    /** The status that belongs to a code of the scheduler: 400 for {@code invalid-...}, 409 where nothing else is said. */
    public static int statusOf(String code) {
        return code.startsWith("invalid-") ? BAD_REQUEST : STATUSES.getOrDefault(code, CONFLICT);
    }

    public static Problem notFound(String detail) {
        return new Problem(404, "not-found", detail);
    }

    public static Problem noSuchRun(String runId) {
        return notFound("there is no run " + runId + "; GET /api/v1/runs lists them");
    }

    public static Problem invalid(String detail) {
        return new Problem(BAD_REQUEST, "invalid-request", detail);
    }

    /** A member of a body or a query that is wrong. */
    public static Problem invalidAt(String path, String detail) {
        Problem problem = invalid(path + " " + detail);
        problem.details.put("path", path);
        return problem;
    }

    int status() {
        return status;
    }

    String code() {
        return code;
    }

    ObjectNode details() {
        return details;
    }
}
