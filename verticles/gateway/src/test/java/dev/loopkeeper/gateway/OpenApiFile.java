package dev.loopkeeper.gateway;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/** The OpenAPI document among the sources, and its layout: what fits into a line stands in one, lists of words fill theirs. */
final class OpenApiFile {
    static final String WRITE_AGAIN = "; mvn test -pl verticles/gateway -am"
            + " -Dtest=ManifestSchemaTest,OpenApiSchemasTest -Dsurefire.failIfNoSpecifiedTests=false"
            + " -Dloopkeeper.write=true writes it";
    private static final Path FILE = Path.of("src/main/resources/dev/loopkeeper/gateway/openapi.json");
    private static final int WIDTH = 150;
    private static final String STEP = "  ";

    private OpenApiFile() {}

    static String text() {
        try {
            return Files.readString(FILE);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static ObjectNode read() {
        try {
            return (ObjectNode) Json.MAPPER.readTree(text());
        } catch (JsonProcessingException malformed) {
            throw new UncheckedIOException(malformed);
        }
    }

    static void write(JsonNode document) {
        try {
            Files.writeString(FILE, layout(document));
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    static String layout(JsonNode document) {
        return layout(document, "", 0) + "\n";
    }

    private static String layout(JsonNode value, String indent, int column) {
        String line = inLine(value);
        if (!value.isContainerNode() || value.isEmpty() || column + line.length() <= WIDTH) {
            return line;
        }
        String inner = indent + STEP;
        List<String> members = new ArrayList<>();
        if (value.isObject()) {
            value.properties().forEach(each -> {
                String start = inner + quoted(each.getKey()) + ": ";
                members.add(start + layout(each.getValue(), inner, start.length() + 1));
            });
            return "{\n" + String.join(",\n", members) + "\n" + indent + "}";
        }
        if (StreamSupport.stream(value.spliterator(), false).allMatch(JsonNode::isTextual)) {
            return "[\n" + filled(value, inner) + "\n" + indent + "]";
        }
        value.forEach(each -> members.add(inner + layout(each, inner, inner.length() + 1)));
        return "[\n" + String.join(",\n", members) + "\n" + indent + "]";
    }

    private static String filled(JsonNode words, String indent) {
        StringBuilder text = new StringBuilder(indent);
        int column = indent.length();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i) + (i + 1 < words.size() ? "," : "");
            boolean first = column == indent.length();
            if (!first && column + 1 + word.length() > WIDTH) {
                text.append('\n').append(indent);
                column = indent.length();
                first = true;
            }
            text.append(first ? "" : " ").append(word);
            column += word.length() + (first ? 0 : 1);
        }
        return text.toString();
    }

    private static String inLine(JsonNode value) {
        List<String> members = new ArrayList<>();
        if (value.isObject()) {
            value.properties().forEach(each -> members.add(quoted(each.getKey()) + ": " + inLine(each.getValue())));
            return "{" + String.join(", ", members) + "}";
        }
        if (value.isArray()) {
            value.forEach(each -> members.add(inLine(each)));
            return "[" + String.join(", ", members) + "]";
        }
        return value.toString();
    }

    private static String quoted(String name) {
        return Json.MAPPER.getNodeFactory().textNode(name).toString();
    }
}
