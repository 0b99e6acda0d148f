package dev.loopkeeper.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.Manifest;

/**
 * What a run is to do, fixed at its creation but for items that come from a file: they are known once their phase begins.
 *
 * @param document the manifest as it was given, overrides in place
 * @param manifest the same as it was meant when the run was created, defaults included
 * @param workspace absolute path
 * @param baseDir absolute path of the manifest's folder
 */
public record Plan(JsonNode document, Manifest manifest, String workspace, String baseDir) {
    /** The same with what has become known of its manifest. */
    Plan with(Manifest known) {
        return new Plan(document, known, workspace, baseDir);
    }
}
