package dev.loopkeeper.termination;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Programs read these codes, and HTTP clients their statuses: a changed row breaks a client. */
class RefusalCodeTest {
    private static final String CODES = """
            invalid-request        | 400 | the request is malformed, or a member or parameter is invalid
            invalid-manifest       | 400 | the manifest has errors
            invalid-policy         | 400 | the policy has errors
            unauthorized           | 401 | the token is missing or unknown
            forbidden-scope        | 403 | the token has only the scope read
            forbidden-host         | 403 | the Host header names another server
            forbidden-origin       | 403 | a page of another origin sent the request
            forbidden-workspace    | 403 | the workspace is outside the allowed folders
            not-found              | 404 | there is no such run, step, file or page
            method-not-allowed     | 405 | the path does not offer this method
            request-timeout        | 408 | the request did not arrive in time
            run-exists             | 409 | a run with this id exists already
            idempotency-key-reused | 409 | the key was sent with another request before
            signal-in-use          | 409 | another open run uses a signal file of this run
            action-not-allowed     | 409 | the paused run does not allow this action
            resume-precondition    | 409 | the resume lacks a required field
            not-resumable          | 409 | the run cannot be resumed in its state
            not-stoppable          | 409 | the run ended before the stop was recorded
            not-endable            | 409 | the run has ended
            not-enabled            | 409 | the schedule is not enabled, so its hook does not fire it
            not-pausable           | 409 | the run cannot be paused in its state
            already-answered       | 409 | another answer was recorded first
            ask-closed             | 409 | the ask timed out, or its step ended
            not-importable         | 409 | the exported run cannot be continued here
            not-exportable         | 409 | the run cannot be exported in its state
            no-worktree            | 409 | the run has no branch of its own
            repository-unavailable | 409 | git cannot use the run's repository
            answer-closed          | 410 | the link is used, the run has moved on, or 72 hours are over
            policy-changed         | 412 | the policy has another version by now
            body-too-large         | 413 | the request body is too large
            uri-too-long           | 414 | the path and the query are too long
            unsupported-media-type | 415 | the body is not sent as application/json
            upgrade-required       | 426 | the path is for WebSocket clients
            too-many-requests      | 429 | this client sends too many requests
            headers-too-large      | 431 | the headers of the request are too large
            internal-error         | 500 | an unexpected error, described in the server's log
            starting               | 503 | the server is starting
            draining               | 503 | the server is ending
            unavailable            | 503 | a part of the server is not running
            store-unavailable      | 503 | the event store cannot be used
            node-unreachable       | 503 | a node of the cluster does not answer
            node-not-live          | 503 | this node of the cluster may not execute runs at the moment
            too-many-answers       | 503 | slow clients hold the memory for large answers
            export-failed          | 503 | the server's disk is full
            timeout                | 504 | no answer in time; the request may still take effect
            """;

    @Test
    void everyCodeKeepsItsStatusAndWords() {
        assertThat(Arrays.stream(RefusalCode.values())
                        .map(code -> code.wire() + " | " + code.status() + " | " + code.words()))
                .containsExactlyElementsOf(CODES.lines()
                        .map(line -> line.replaceAll(" +\\|", " |"))
                        .toList());
    }
}
