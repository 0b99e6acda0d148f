package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.ManifestProblem;
import java.util.List;

/** What became of a submitted manifest. */
public sealed interface Intake {
    /**
     * It can be started.
     *
     * @param document the manifest, resolved
     * @param workspace absolute path of an existing folder
     * @param baseDir absolute path of the folder that relative paths start from
     */
    record Ready(JsonNode document, String workspace, String baseDir) implements Intake {}

    /**
     * It cannot.
     *
     * @param problems one or more
     */
    record Refused(List<ManifestProblem> problems) implements Intake {}
}
