package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.databind.JsonNode;

/** The result of parsing a YAML or JSON text. */
public sealed interface DocumentReading {
    /** A document; a null node for an empty text. */
    record Parsed(JsonNode document, SourceMap sources) implements DocumentReading {}

    /**
     * A text that is not a single document.
     *
     * @param problem has an empty path, and the position of the error
     */
    record Unreadable(ManifestProblem problem) implements DocumentReading {}
}
