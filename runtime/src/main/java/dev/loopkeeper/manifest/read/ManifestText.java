package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.io.IOException;
import java.util.Optional;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Parses YAML or JSON text. Keys given twice are refused, {@code yes}, {@code no}, {@code on} and {@code off} are
 * texts, and what aliases repeat is bounded like everything else, so that no text can exhaust the memory.
 */
public final class ManifestText {
    /** Longer texts are refused, in characters. */
    public static final int MAX_CHARS = 1024 * 1024;

    private ManifestText() {}

    /** One document, or one problem with its line and column. Never throws. */
    public static DocumentReading parse(String text) {
        if (text.length() > MAX_CHARS) {
            return unreadable("the text is longer than " + MAX_CHARS + " characters");
        }
        String content = text.startsWith("\uFEFF") ? text.substring(1) : text;
        return asJson(content).<DocumentReading>map(DocumentReading.Parsed::new).orElseGet(() -> asYaml(content));
    }

    /** YAML knows most of JSON, but neither tabs before a key nor every escape. */
    private static Optional<JsonNode> asJson(String text) {
        if (!text.stripLeading().startsWith("{")) {
            return Optional.empty();
        }
        try {
            return Optional.of(new DocumentTree().json(text));
        } catch (IOException notJson) {
            return Optional.empty();
        }
    }

    private static DocumentReading asYaml(String text) {
        try {
            return new DocumentReading.Parsed(text.isBlank() ? NullNode.getInstance() : new DocumentTree().yaml(text));
        } catch (IOException broken) {
            return unreadable(broken);
        } catch (YAMLException broken) {
            // The parser below Jackson's lets some of its own through, e.g. for characters that YAML forbids.
            return unreadable(oneLine(broken.getMessage()));
        }
    }

    private static DocumentReading unreadable(IOException broken) {
        if (broken.getCause() instanceof MarkedYAMLException marked && marked.getProblemMark() != null) {
            Mark mark = marked.getProblemMark();
            return unreadable(mark.getLine() + 1, mark.getColumn() + 1, marked.getProblem());
        }
        if (broken instanceof JacksonException jackson && jackson.getLocation() != null) {
            int line = jackson.getLocation().getLineNr();
            return unreadable(line, jackson.getLocation().getColumnNr(), jackson.getOriginalMessage());
        }
        return unreadable(oneLine(broken.getMessage()));
    }

    private static DocumentReading unreadable(int line, int column, String message) {
        return unreadable("line " + line + ", column " + column + ": " + oneLine(message));
    }

    private static DocumentReading unreadable(String message) {
        return new DocumentReading.Unreadable(ManifestProblem.at("", message));
    }

    private static String oneLine(String message) {
        String first = String.valueOf(message).lines().findFirst().orElse("unreadable");
        return first.length() > 200 ? first.substring(0, 200) + "..." : first;
    }
}
