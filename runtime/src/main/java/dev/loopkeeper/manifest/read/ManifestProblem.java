package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * One thing wrong with a manifest.
 *
 * @param path where, in dots and brackets, e.g. {@code phases[1].loop.steps[0]}; empty for the whole document
 * @param position of the value, of a key that should not be there, or of the map in which something is missing
 * @param message what is wrong and what would be right, one sentence
 * @param suggestion the nearest known key or value, if there is one near
 */
public record ManifestProblem(String path, SourcePosition position, String message, Optional<String> suggestion) {
    /** A problem of unknown position with nothing near to suggest. */
    public static ManifestProblem at(String path, String message) {
        return new ManifestProblem(path, SourcePosition.UNKNOWN, message, Optional.empty());
    }

    /** The same with the position of its path, unless it has one already. */
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

    /** One line, e.g. {@code phases[0].loop.step: unknown key (did you mean steps?)}; no path in front when empty. */
    public String text() {
        String where = path.isEmpty() ? "" : path + ": ";
        return where
                + message
                + suggestion.map(near -> " (did you mean " + near + "?)").orElse("");
    }

    /** One line that begins with the position, e.g. {@code demo.yaml:7:12: phases[0].loop.step: unknown key}. */
    public String text(String manifest) {
        String where = position.text(manifest);
        // An option says its path itself.
        String rest =
                where.endsWith(" " + path) ? new ManifestProblem("", position, message, suggestion).text() : text();
        return where.isEmpty() ? rest : where + ": " + rest;
    }
}
