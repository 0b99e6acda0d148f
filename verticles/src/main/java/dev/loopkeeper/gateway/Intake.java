package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.read.ManifestProblem;
import java.util.List;

/** What became of a submitted manifest. */
public sealed interface Intake {
    /**
     * It can be started.
     *
     * @param document the manifest, resolved
     * @param workspace absolute path of an existing folder
     * @param baseDir absolute path of the folder that relative paths start from
     * @param warnings what the client should know of it
     */
    record Ready(JsonNode document, String workspace, String baseDir, List<ManifestProblem> warnings)
            implements Intake {
        /** With nothing to warn of. */
        public Ready(JsonNode document, String workspace, String baseDir) {
            this(document, workspace, baseDir, List.of());
        }
    }

    /**
     * It cannot.
     *
     * @param problems one or more
     */
    record Refused(List<ManifestProblem> problems) implements Intake {}
}
