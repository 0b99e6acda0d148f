package dev.loopkeeper.contract.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.run.ManifestFile;
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
 * @param file from which the manifest was read; absent where it was no file
 */
public record StartRun(
        Optional<String> runId,
        JsonNode document,
        String workspace,
        String baseDir,
        boolean start,
        Optional<String> idempotencyKey,
        Optional<ManifestFile> file) {

    /** The same for a manifest that was no file. */
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
