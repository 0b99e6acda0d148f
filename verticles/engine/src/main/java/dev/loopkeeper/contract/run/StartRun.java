package dev.loopkeeper.contract.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.run.ManifestFile;
import java.util.Optional;

/**
 * Command: create a run from a validated manifest. Answered by {@link RunAnswer}.
 *
 * @param runId requested id; absent: {@code <name>-<yyyyMMdd>-<HHmmss>-<4 letters or digits>}
 * @param document the manifest as {@code submit} resolved it
 * @param workspace absolute path of an existing folder
 * @param baseDir absolute path of the manifest's folder
 * @param start whether to start at once; otherwise the run waits as {@code queued} for a resume
 * @param idempotencyKey a repeated key is answered with the run that it created; another command with the key is
 *     refused
 * @param file source of the manifest; absent if it was not a file
 */
public record StartRun(
        Optional<String> runId,
        JsonNode document,
        String workspace,
        String baseDir,
        boolean start,
        Optional<String> idempotencyKey,
        Optional<ManifestFile> file) {

    /** For a manifest that was not read from a file. */
    public StartRun(
            Optional<String> runId,
            JsonNode document,
            String workspace,
            String baseDir,
            boolean start,
            Optional<String> idempotencyKey) {
        this(runId, document, workspace, baseDir, start, idempotencyKey, Optional.empty());
    }
}
