package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.loopkeeper.json.JsonSyntaxError;
import java.io.IOException;
import java.util.Optional;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.reader.ReaderException;

/**
 * Parses YAML or JSON text. Duplicate keys are refused; {@code yes}, {@code no}, {@code on} and {@code off} are texts.
 * Sizes and alias repetitions are bounded, so that no text exhausts the memory.
 */
public final class ManifestText {
    /** Longer texts are refused, in characters. */
    public static final int MAX_CHARS = 1024 * 1024;

    private final Optional<String> source;

    private ManifestText(Optional<String> source) {
        this.source = source;
    }

    /** Returns a document, or a problem with line and column. Never throws. */
    public static DocumentReading parse(String text) {
        return new ManifestText(Optional.empty()).read(text);
    }

    /** Parses a text that the manifest names; its positions have this source. */
    public static DocumentReading parse(String text, String source) {
        return new ManifestText(Optional.of(source)).read(text);
    }

    private DocumentReading read(String text) {
        if (text.length() > MAX_CHARS) {
            return unreadable(Optional.empty(), "the text is longer than " + MAX_CHARS + " characters");
        }
        String content = text.startsWith("\uFEFF") ? text.substring(1) : text;
        return asJson(content).orElseGet(() -> asYaml(content));
    }

    /** YAML covers most of JSON, but neither tabs before a key nor every escape. */
    private Optional<DocumentReading> asJson(String text) {
        if (!text.stripLeading().startsWith("{")) {
            return Optional.empty();
        }
        try {
            return Optional.of(new DocumentTree(source).json(text));
        } catch (IOException notJson) {
            return Optional.empty();
        }
    }

    private DocumentReading asYaml(String text) {
        try {
            return text.isBlank() ? emptyDocument() : new DocumentTree(source).yaml(text);
        } catch (IOException broken) {
            return unreadable(text, broken);
        } catch (YAMLException broken) {
            // The parser below Jackson's throws its own exceptions, e.g. for characters that YAML forbids.
            return unreadable(markOf(text, broken), broken.getMessage());
        }
    }

    private static Optional<SourcePosition.Mark> markOf(String text, YAMLException broken) {
        if (broken instanceof MarkedYAMLException marked && marked.getProblemMark() != null) {
            return mark(
                    marked.getProblemMark().getLine(), marked.getProblemMark().getColumn());
        }
        return broken instanceof ReaderException forbidden ? mark(text, forbidden.getPosition()) : Optional.empty();
    }

    private DocumentReading emptyDocument() {
        return new DocumentReading.Parsed(NullNode.getInstance(), SourceMap.at(new SourcePosition(source, mark(0, 0))));
    }

    /** Explains the usual cause of a map as a key: a template without quotes. */
    private static String fault(JacksonException broken) {
        String said = JsonSyntaxError.of(broken);
        return said.startsWith("Expected a field name")
                ? "a map or list stands where a key is expected; a text that begins with {{ needs quotes"
                : said;
    }

    private DocumentReading unreadable(String text, IOException broken) {
        if (broken.getCause() instanceof MarkedYAMLException marked && marked.getProblemMark() != null) {
            Mark mark = marked.getProblemMark();
            return unreadable(mark(mark.getLine(), mark.getColumn()), marked.getProblem());
        }
        String message = broken instanceof JacksonException jackson ? fault(jackson) : broken.getMessage();
        if (broken.getCause() instanceof ReaderException forbidden) {
            return unreadable(mark(text, forbidden.getPosition()), message);
        }
        if (broken instanceof JacksonException jackson && jackson.getLocation() != null) {
            JsonLocation at = jackson.getLocation();
            return unreadable(mark(at.getLineNr() - 1, at.getColumnNr() - 1), message);
        }
        return unreadable(Optional.empty(), message);
    }

    private static Optional<SourcePosition.Mark> mark(int linesBefore, int charactersBefore) {
        return Optional.of(new SourcePosition.Mark(linesBefore + 1, charactersBefore + 1));
    }

    private static Optional<SourcePosition.Mark> mark(String text, int codePointsBefore) {
        int most = text.codePointCount(0, text.length());
        String before = text.substring(0, text.offsetByCodePoints(0, Math.min(codePointsBefore, most)));
        int line = before.lastIndexOf('\n') + 1;
        return mark(
                (int) before.chars().filter(character -> character == '\n').count(),
                before.codePointCount(line, before.length()));
    }

    private DocumentReading unreadable(Optional<SourcePosition.Mark> mark, String message) {
        SourcePosition position = new SourcePosition(source, mark);
        return new DocumentReading.Unreadable(new ManifestProblem("", position, oneLine(message), Optional.empty()));
    }

    private static String oneLine(String message) {
        String first = String.valueOf(message).lines().findFirst().orElse("unreadable");
        return first.length() > 200 ? first.substring(0, 200) + "..." : first;
    }
}
