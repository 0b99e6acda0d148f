package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.databind.JsonNode;

/** What parsing a YAML or JSON text gave. */
public sealed interface DocumentReading {
    /** One document; a null node for a text without content. */
    record Parsed(JsonNode document, SourceMap sources) implements DocumentReading {}

    /**
     * A text that is not one document.
     *
     * @param problem its path is empty, its position is where the text is no longer one document
     */
    record Unreadable(ManifestProblem problem) implements DocumentReading {}
}
