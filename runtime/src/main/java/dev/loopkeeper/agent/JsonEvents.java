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
 * Finds JSON objects in a stream: one per line, an array on a line, or one over several lines between lone brackets.
 * Ignores escape sequences and text before a record. Every other line is prose. Drops broken JSON.
 */
final class JsonEvents {
    /** Longer lines and documents are dropped. */
    static final int LONGEST = 8 * 1024 * 1024;

    private static final byte[] TYPE = "{\"type\":\"".getBytes(StandardCharsets.UTF_8);
    private static final int LONGEST_TYPE = 64;
    private static final byte ESCAPE = 0x1b;

    private final LineSplitter lines = new LineSplitter(LONGEST, this::line);
    private final WantedFields fieldsOfInterest;
    private final Set<String> types;
    private final Consumer<ObjectNode> events;
    private final Tail prose;
    private final ByteArrayOutputStream document = new ByteArrayOutputStream();

    /**
     * Passes events to {@code events} with the selected fields only.
     *
     * @param types events whose first field names another type are skipped unparsed
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
        byte[] plain = contains(bytes, offset, length, ESCAPE)
                ? EscapeSequences.removed(new String(bytes, offset, length, StandardCharsets.UTF_8))
                        .getBytes(StandardCharsets.UTF_8)
                : new byte[0];
        // An unterminated sequence removes the rest of its line.
        if (contains(plain, 0, plain.length, (byte) '{')) {
            plainLine(plain, 0, plain.length);
        } else {
            plainLine(bytes, offset, length);
        }
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
        int start = content(bytes, offset, length);
        int size = offset + length - start;
        byte first = size == 0 ? (byte) ' ' : bytes[start];
        boolean opening = first == '{' || first == '[';
        boolean unindented = start == offset;
        if (opening && size == 1 && unindented) {
            endDocument(false);
            extend(bytes, start, size);
        } else if (document.size() > 0 && !(opening && unindented)) {
            extend(bytes, offset, length);
            if (unindented && (first == '}' || first == ']')) {
                endDocument(true);
            }
        } else if (opening) {
            endDocument(false);
            if (!read(bytes, start, size) && !endsInRecord(bytes, start, size)) {
                prose.line(bytes, offset, length);
            }
        } else if (!endsInRecord(bytes, offset, length)) {
            prose.line(bytes, offset, length);
        }
    }

    /** Reads a record at the end of a line with other text before it, if there is one. */
    private boolean endsInRecord(byte[] bytes, int offset, int length) {
        if (!contains(bytes, offset, length, (byte) '{')) {
            return false;
        }
        String line = new String(bytes, offset, length, StandardCharsets.UTF_8);
        Optional<List<ObjectNode>> found = RecordInLine.find(line, this::complete);
        found.ifPresent(records -> records.forEach(events));
        return found.isPresent();
    }

    /** The complete text as records of known types; empty for anything else. */
    private Optional<List<ObjectNode>> complete(String text) {
        List<ObjectNode> found = new ArrayList<>();
        try (JsonParser parser = WantedFields.parser(text)) {
            collect(parser, found);
            boolean known = found.stream()
                    .anyMatch(record -> types.contains(record.path("type").asText()));
            return known && parser.nextToken() == null ? Optional.of(found) : Optional.empty();
        } catch (IOException otherText) {
            return Optional.empty();
        }
    }

    private static int content(byte[] bytes, int offset, int length) {
        int start = offset;
        int end = offset + length;
        if (length >= 3 && bytes[start] == (byte) 0xEF && bytes[start + 1] == (byte) 0xBB) {
            start += 3;
        }
        while (start < end && (bytes[start] == ' ' || bytes[start] == '\t')) {
            start++;
        }
        return start;
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
        if (complete) {
            boolean unused = read(bytes, 0, bytes.length);
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
        found.forEach(events);
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
