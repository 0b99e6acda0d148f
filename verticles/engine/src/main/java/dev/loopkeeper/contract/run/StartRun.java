package dev.loopkeeper.contract.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * Command: create a run from a checked manifest. Answered by {@link RunAnswer}.
 *
 * @param runId the wished id; absent: {@code <name>-<yyyyMMdd>-<HHmmss>-<4 letters or digits>}
 * @param document the manifest as {@code submit} resolved it
 * @param workspace absolute path of an existing folder
 * @param baseDir absolute path of the manifest's folder
 * @param start whether to start at once; else the run waits as {@code queued} for a resume
 * @param idempotencyKey a repeated key answers with the run that it created, and refuses a command for another
 */
public record StartRun(
        Optional<String> runId,
        JsonNode document,
        String workspace,
        String baseDir,
        boolean start,
        Optional<String> idempotencyKey) {}
