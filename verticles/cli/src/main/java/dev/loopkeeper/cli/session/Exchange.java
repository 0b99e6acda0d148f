package dev.loopkeeper.cli.session;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** One request and its answer. Blocks; not for event loops. */
interface Exchange {
    /**
     * What was answered.
     *
     * @param body empty when there is none
     * @param location where to ask instead, as a redirect says; absent when it does not
     */
    record Reply(int status, String body, Optional<String> location) {}

    /**
     * Asks and waits for the whole answer.
     *
     * @param path with its query, e.g. {@code /api/v1/runs?limit=5}
     * @param body sent as it is; empty: none
     * @param patience how long the answer may take
     * @throws CommandFailure when there is none in time
     * @throws Exception when the server cannot be reached or does not answer
     */
    Reply send(String method, String path, Map<String, String> headers, String body, Duration patience)
            throws Exception;
}
