package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.Manifest;
import java.util.Optional;

/**
 * What a run is to do, fixed at its creation but for items that come from a file, which are known once their phase begins, and
 * for a changed manifest that a resume brings.
 *
 * @param document the manifest as it was given, overrides in place
 * @param manifest the same as it was meant when the run was created, defaults included
 * @param workspace absolute path
 * @param baseDir absolute path of the manifest's folder
 * @param file from which the manifest was read; absent where it was no file
 */
public record Plan(
        JsonNode document,
        Manifest manifest,
        String workspace,
        String baseDir,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<ManifestFile> file) {
    /** What is missing in a record is absent. */
    public Plan {
        file = file == null ? Optional.empty() : file;
    }

    /** The same with what has become known of its manifest. */
    Plan with(Manifest known) {
        return new Plan(document, known, workspace, baseDir, file);
    }
}
