package dev.loopkeeper.cli.session;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Sends one request and returns its answer. Blocks; not for event loops. */
interface Exchange {
    /**
     * An answer.
     *
     * @param body empty if there is none
     * @param location target of a redirect; empty if the answer is not a redirect
     */
    record Reply(int status, String body, Optional<String> location) {}

    /**
     * Sends a request and waits for the complete answer.
     *
     * @param path path and query, e.g. {@code /api/v1/runs?limit=5}
     * @param body sent unchanged; empty for none
     * @param patience how long the answer may take
     * @throws CommandFailure if there is no answer in time
     * @throws Exception if the server cannot be reached or does not answer
     */
    Reply send(String method, String path, Map<String, String> headers, String body, Duration patience)
            throws Exception;
}
