package dev.loopkeeper.submit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.ManifestFile;
import dev.loopkeeper.manifest.read.ManifestProblem;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The result of checking a manifest and the files that it names. */
public sealed interface Submission {
    /**
     * Ready to become a run.
     *
     * @param document the manifest with overrides and vars applied; reads to {@code manifest}
     * @param workspace absolute path without symbolic links
     * @param baseDir absolute path of the manifest's folder; the workspace for a document that is no file
     * @param warnings valid settings that are probably not intended
     * @param file from which it was read; absent for a document that is no file
     */
    record Accepted(
            JsonNode document,
            Manifest manifest,
            String workspace,
            String baseDir,
            List<ManifestProblem> warnings,
            Optional<ManifestFile> file)
            implements Submission {

        /** A document that is no file. */
        public Accepted(
                JsonNode document,
                Manifest manifest,
                String workspace,
                String baseDir,
                List<ManifestProblem> warnings) {
            this(document, manifest, workspace, baseDir, warnings, Optional.empty());
        }

        /** The same with another warning. */
        public Accepted warned(ManifestProblem warning) {
            List<ManifestProblem> all =
                    Stream.concat(warnings.stream(), Stream.of(warning)).toList();
            return new Accepted(document, manifest, workspace, baseDir, all, file);
        }

        /** The same as it was read from this file. */
        Accepted from(ManifestFile source) {
            return new Accepted(document, manifest, workspace, baseDir, warnings, Optional.of(source));
        }
    }

    /**
     * It is invalid.
     *
     * @param problems all that was found, at least one: first those of the text, then those of the files it names
     */
    record Refused(List<ManifestProblem> problems) implements Submission {}

    /** Returns what was found as JSON: {@code {"errors": [...], "warnings": [...]}}. */
    default ObjectNode findings() {
        ObjectNode findings = Json.MAPPER.createObjectNode();
        ArrayNode errors = findings.putArray("errors");
        ArrayNode warnings = findings.putArray("warnings");
        if (this instanceof Refused refused) {
            refused.problems().forEach(problem -> errors.add(problem.json()));
        } else if (this instanceof Accepted accepted) {
            accepted.warnings().forEach(warning -> warnings.add(warning.json()));
        }
        return findings;
    }
}
