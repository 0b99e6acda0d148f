package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.databind.JsonNode;

/** What parsing a YAML or JSON text gave. */
public sealed interface DocumentReading {
    /** One document; a null node for a text without content. */
    record Parsed(JsonNode document) implements DocumentReading {}

    /**
     * A text that is not one document.
     *
     * @param problem names line and column where they are known; its path is empty
     */
    record Unreadable(ManifestProblem problem) implements DocumentReading {}
}
