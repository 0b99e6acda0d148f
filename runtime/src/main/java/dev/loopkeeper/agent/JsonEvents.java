package dev.loopkeeper.agent;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.step.EscapeSequences;
import dev.loopkeeper.step.RecordInLine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds JSON objects in a stream: one per line, an array on a line, or one over several lines, from a bracket at the end
 * of a line to an unindented one. Ignores control characters and text before a record. Every other line is prose.
 */
final class JsonEvents {
    /** Longer lines and documents are dropped. */
    static final int LONGEST = 8 * 1024 * 1024;

    private static final byte[] TYPE = "{\"type\":\"".getBytes(StandardCharsets.UTF_8);
    private static final int LONGEST_TYPE = 64;

    private final LineSplitter lines = new LineSplitter(LONGEST, this::line);
    private final WantedFields fieldsOfInterest;
    private final Set<String> types;
    private final Consumer<ObjectNode> events;
    private final Tail prose;
    private final ByteArrayOutputStream document = new ByteArrayOutputStream();
    /** The length of the text before the document in its first line. */
    private int words;

    /**
     * Passes events to {@code events} with the selected fields only.
     *
     * @param types events of other types are skipped, unparsed where the type is their first field; the type of an
     *     event without one is empty
     */
    JsonEvents(WantedFields fieldsOfInterest, Set<String> types, Consumer<ObjectNode> events, Tail prose) {
        this.fieldsOfInterest = fieldsOfInterest;
        this.types = types;
        this.events = events;
        this.prose = prose;
    }

    void feed(byte[] chunk, int offset, int length) {
        lines.feed(chunk, offset, length);
    }

    void finish() {
        lines.finish();
        endDocument(false);
    }

    private void line(byte[] bytes, int offset, int length) {
        byte[] plain = hasControl(bytes, offset, length)
                ? EscapeSequences.removed(new String(bytes, offset, length, StandardCharsets.UTF_8))
                        .getBytes(StandardCharsets.UTF_8)
                : bytes;
        // An unterminated sequence removes the rest of its line.
        boolean cut = contains(bytes, offset, length, (byte) '{') && !contains(plain, 0, plain.length, (byte) '{');
        if (cut || plain == bytes) {
            plainLine(bytes, offset, length);
        } else {
            plainLine(plain, 0, plain.length);
        }
    }

    private static boolean hasControl(byte[] bytes, int offset, int length) {
        for (int at = offset; at < offset + length; at++) {
            if (bytes[at] >= 0 && bytes[at] < ' ' && bytes[at] != '\t') {
                return true;
            }
        }
        return false;
    }

    private static boolean contains(byte[] bytes, int offset, int length, byte value) {
        for (int at = offset; at < offset + length; at++) {
            if (bytes[at] == value) {
                return true;
            }
        }
        return false;
    }

    private void plainLine(byte[] bytes, int offset, int length) {
        if (length >= 3 && bytes[offset] == (byte) 0xEF && bytes[offset + 1] == (byte) 0xBB) {
            plainLine(bytes, offset + 3, length - 3);
            return;
        }
        int start = offset;
        int end = offset + length;
        while (start < end && isBlank(bytes[start])) {
            start++;
        }
        byte first = start == end ? (byte) ' ' : bytes[start];
        if (document.size() == 0) {
            betweenDocuments(bytes, offset, end, first == '{' || first == '[' ? start : end);
        } else if (start > offset || start == end || first == '"') {
            extend(bytes, offset, length);
        } else if (first == '}' || first == ']') {
            extend(bytes, offset, 1);
            endDocument(true);
            if (length > 1) {
                plainLine(bytes, offset + 1, length - 1);
            }
        } else {
            endDocument(false);
            plainLine(bytes, offset, length);
        }
    }

    /** @param opening where the line begins with a bracket; its end if it does not */
    private void betweenDocuments(byte[] bytes, int offset, int end, int opening) {
        boolean complete = opening < end && read(bytes, opening, end - opening);
        if (complete || endsInRecord(bytes, offset, end - offset)) {
            return;
        }
        int last = end - 1;
        while (last > offset && isBlank(bytes[last])) {
            last--;
        }
        if (last >= offset && (bytes[last] == '{' || bytes[last] == '[')) {
            words = last - offset;
            extend(bytes, offset, end - offset);
        } else {
            prose.line(bytes, offset, end - offset);
        }
    }

    private static boolean isBlank(byte value) {
        return value == ' ' || value == '\t';
    }

    /** Reads a record at the end of a line with other text before it, if there is one. */
    private boolean endsInRecord(byte[] bytes, int offset, int length) {
        if (!contains(bytes, offset, length, (byte) '{')) {
            return false;
        }
        String line = new String(bytes, offset, length, StandardCharsets.UTF_8);
        Optional<List<ObjectNode>> found = RecordInLine.find(line, this::complete);
        found.ifPresent(records -> records.stream().filter(this::isKnown).forEach(events));
        return found.isPresent();
    }

    /** The complete text as records of known types; empty for anything else. */
    private Optional<List<ObjectNode>> complete(String text) {
        List<ObjectNode> found = new ArrayList<>();
        try (JsonParser parser = WantedFields.parser(text)) {
            collect(parser, found);
            return found.stream().anyMatch(this::isKnown) && parser.nextToken() == null
                    ? Optional.of(found)
                    : Optional.empty();
        } catch (IOException otherText) {
            return Optional.empty();
        }
    }

    private void extend(byte[] bytes, int offset, int length) {
        if (document.size() + length >= LONGEST) {
            document.reset();
            return;
        }
        document.write(bytes, offset, length);
        document.write('\n');
    }

    private void endDocument(boolean complete) {
        byte[] bytes = document.toByteArray();
        document.reset();
        if (complete && (read(bytes, 0, bytes.length) || read(bytes, words, bytes.length - words))) {
            prose.line(bytes, 0, words);
        } else if (bytes.length > 0) {
            prose.line(bytes, 0, bytes.length);
        }
    }

    /** Whether the text is JSON. */
    private boolean read(byte[] bytes, int offset, int length) {
        if (!mayMatter(bytes, offset, length)) {
            return true;
        }
        List<ObjectNode> found = new ArrayList<>();
        try (JsonParser parser = WantedFields.parser(bytes, offset, length)) {
            collect(parser, found);
        } catch (IOException broken) {
            repair(bytes, offset, length, found);
        }
        found.stream().filter(this::isKnown).forEach(events);
        return !found.isEmpty();
    }

    /** Replaces bytes that are not UTF-8, and reads a broken text up to the error. */
    private void repair(byte[] bytes, int offset, int length, List<ObjectNode> found) {
        String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
        if (text.indexOf('\uFFFD') < 0) {
            return;
        }
        found.clear();
        try (JsonParser parser = WantedFields.parser(text)) {
            collect(parser, found);
        } catch (IOException broken) {
            // The text cannot be repaired further.
        }
    }

    private boolean isKnown(ObjectNode record) {
        return types.contains(record.path("type").asText());
    }

    private void collect(JsonParser parser, List<ObjectNode> found) throws IOException {
        JsonToken token = parser.nextToken();
        if (token == JsonToken.START_ARRAY) {
            token = parser.nextToken();
        }
        while (token == JsonToken.START_OBJECT) {
            found.add(fieldsOfInterest.read(parser));
            token = parser.nextToken();
        }
    }

    /** Most lines have types that are never read; those are skipped unparsed. */
    private boolean mayMatter(byte[] bytes, int offset, int length) {
        int start = offset + TYPE.length;
        int end = offset + Math.min(length, LONGEST_TYPE);
        if (length < TYPE.length || !Arrays.equals(bytes, offset, start, TYPE, 0, TYPE.length)) {
            return true;
        }
        int at = start;
        while (at < end && bytes[at] != '"') {
            at++;
        }
        return types.contains(new String(bytes, start, at - start, StandardCharsets.UTF_8))
                || hasAnother(bytes, offset, length);
    }

    /** Whether a second record follows without a line feed; in a text its quotation mark would be escaped. */
    private static boolean hasAnother(byte[] bytes, int offset, int length) {
        for (int at = offset; at < offset + length - 2; at++) {
            if (bytes[at] == '}' && bytes[at + 1] == '{' && bytes[at + 2] == '"') {
                return true;
            }
        }
        return false;
    }
}
