package dev.loopkeeper.termination;

import dev.loopkeeper.json.WireName;

/** The {@code code} of a refusal in the control API's problem documents. Programs depend on it, so it never changes. */
public enum RefusalCode implements WireName {
    INVALID_REQUEST(400, "the request is malformed, or a member or parameter is invalid"),
    INVALID_MANIFEST(400, "the manifest has errors"),
    INVALID_POLICY(400, "the policy has errors"),
    UNAUTHORIZED(401, "the token is missing or unknown"),
    FORBIDDEN_SCOPE(403, "the token has only the scope read"),
    FORBIDDEN_HOST(403, "the Host header names another server"),
    FORBIDDEN_ORIGIN(403, "a page of another origin sent the request"),
    FORBIDDEN_WORKSPACE(403, "the workspace is outside the allowed folders"),
    NOT_FOUND(404, "there is no such run, step, file or page"),
    METHOD_NOT_ALLOWED(405, "the path does not offer this method"),
    REQUEST_TIMEOUT(408, "the request did not arrive in time"),
    RUN_EXISTS(409, "a run with this id exists already"),
    IDEMPOTENCY_KEY_REUSED(409, "the key was sent with another request before"),
    SIGNAL_IN_USE(409, "another open run uses a signal file of this run"),
    ACTION_NOT_ALLOWED(409, "the paused run does not allow this action"),
    RESUME_PRECONDITION(409, "the resume lacks a required field"),
    NOT_RESUMABLE(409, "the run cannot be resumed in its state"),
    NOT_STOPPABLE(409, "the run ended before the stop was recorded"),
    NOT_ENDABLE(409, "the run has ended"),
    NOT_ENABLED(409, "the schedule is not enabled, so its hook does not fire it"),
    NOT_PAUSABLE(409, "the run cannot be paused in its state"),
    ALREADY_ANSWERED(409, "another answer was recorded first"),
    ASK_CLOSED(409, "the ask timed out, or its step ended"),
    NOT_IMPORTABLE(409, "the exported run cannot be continued here"),
    NOT_EXPORTABLE(409, "the run cannot be exported in its state"),
    NO_WORKTREE(409, "the run has no branch of its own"),
    REPOSITORY_UNAVAILABLE(409, "git cannot use the run's repository"),
    ANSWER_CLOSED(410, "the link is used, the run has moved on, or 72 hours are over"),
    POLICY_CHANGED(412, "the policy has another version by now"),
    BODY_TOO_LARGE(413, "the request body is too large"),
    URI_TOO_LONG(414, "the path and the query are too long"),
    UNSUPPORTED_MEDIA_TYPE(415, "the body is not sent as application/json"),
    UPGRADE_REQUIRED(426, "the path is for WebSocket clients"),
    TOO_MANY_REQUESTS(429, "this client sends too many requests"),
    HEADERS_TOO_LARGE(431, "the headers of the request are too large"),
    INTERNAL_ERROR(500, "an unexpected error, described in the server's log"),
    STARTING(503, "the server is starting"),
    DRAINING(503, "the server is ending"),
    UNAVAILABLE(503, "a part of the server is not running"),
    STORE_UNAVAILABLE(503, "the event store cannot be used"),
    NODE_UNREACHABLE(503, "a node of the cluster does not answer"),
    NODE_NOT_LIVE(503, "this node of the cluster may not execute runs at the moment"),
    TOO_MANY_ANSWERS(503, "slow clients hold the memory for large answers"),
    EXPORT_FAILED(503, "the server's disk is full"),
    TIMEOUT(504, "no answer in time; the request may still take effect");

    private final int status;
    private final String words;

    RefusalCode(int status, String words) {
        this.status = status;
        this.words = words;
    }

    /** Returns the HTTP status, e.g. 409. */
    public int status() {
        return status;
    }

    /** Returns what the code says, in words for people. */
    public String words() {
        return words;
    }
}
