package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.ManifestFile;
import java.util.Optional;

/**
 * The plan of a run, fixed at its creation. Items from a file are added when their phase begins; a resume may change
 * the manifest.
 *
 * @param document the original manifest with overrides applied
 * @param manifest the parsed manifest with defaults
 * @param workspace absolute path
 * @param baseDir absolute path of the manifest's folder
 * @param file the manifest's file; absent when it did not come from a file
 */
public record Plan(
        JsonNode document,
        Manifest manifest,
        String workspace,
        String baseDir,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<ManifestFile> file) {
    /** Returns a copy with a completed manifest. */
    Plan with(Manifest completed) {
        return new Plan(document, completed, workspace, baseDir, file);
    }
}
