package dev.loopkeeper.submit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.read.ManifestProblem;
import java.util.List;

/** What checking a manifest and everything it names gave. */
public sealed interface Submission {
    /**
     * Ready to become a run.
     *
     * @param document the manifest with overrides and vars applied; reads to {@code manifest}
     * @param workspace absolute path without symbolic links
     * @param baseDir absolute path of the manifest's folder; the workspace for a document that is no file
     * @param warnings what hardly anybody means, though it is no error
     */
    record Accepted(
            JsonNode document, Manifest manifest, String workspace, String baseDir, List<ManifestProblem> warnings)
            implements Submission {}

    /**
     * Not to be started.
     *
     * @param problems all that was found, at least one: first those of the text, then those of the files it names
     */
    record Refused(List<ManifestProblem> problems) implements Submission {}
}
