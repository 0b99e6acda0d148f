package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * A problem of a manifest.
 *
 * @param path path with dots and brackets, e.g. {@code phases[1].loop.steps[0]}; empty for the complete document
 * @param position of the value, of an unknown key, or of the map that lacks a key
 * @param message the problem and its remedy, one sentence
 * @param suggestion the nearest known key or value, if any
 */
public record ManifestProblem(String path, SourcePosition position, String message, Optional<String> suggestion) {
    /** A problem without position and suggestion. */
    public static ManifestProblem at(String path, String message) {
        return new ManifestProblem(path, SourcePosition.UNKNOWN, message, Optional.empty());
    }

    /** Adds the position of the path, unless the problem has a position. */
    public ManifestProblem located(SourceMap sources) {
        return position.equals(SourcePosition.UNKNOWN)
                ? new ManifestProblem(path, sources.find(path).value(), message, suggestion)
                : this;
    }

    /** {@code {path, source?, line?, column?, message, suggestion?}}. */
    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("path", path);
        position.source().ifPresent(source -> json.put("source", source));
        position.mark().ifPresent(mark -> json.put("line", mark.line()).put("column", mark.column()));
        json.put("message", message);
        suggestion.ifPresent(near -> json.put("suggestion", near));
        return json;
    }

    /**
     * One line, e.g. {@code phases[0].loop.step: unknown key (did you mean steps?)}; without a path when it is empty.
     */
    public String text() {
        String where = path.isEmpty() ? "" : path + ": ";
        return where
                + message
                + suggestion.map(near -> " (did you mean " + near + "?)").orElse("");
    }

    /** One line that begins with the position, e.g. {@code demo.yaml:7:12: phases[0].loop.step: unknown key}. */
    public String text(String manifest) {
        String where = position.text(manifest);
        // The position of an option already names the path.
        String rest =
                where.endsWith(" " + path) ? new ManifestProblem("", position, message, suggestion).text() : text();
        return where.isEmpty() ? rest : where + ": " + rest;
    }
}
