package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.WrittenScalar;
import dev.loopkeeper.manifest.read.DocumentReading.Parsed;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Builds the tree of a document. Jackson's own tree reader treats a YAML alias as text. Aliases repeat maps and lists;
 * the parser does not report anchors of single values, so an alias of one is refused.
 */
final class DocumentTree {
    /** Limit for the repetitions of all aliases together, in values and characters. */
    private static final int MAX_REPEATED = 1024 * 1024;

    private static final StreamReadConstraints CONSTRAINTS =
            StreamReadConstraints.builder().maxNestingDepth(Json.MAX_DEPTH).build();
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(CONSTRAINTS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final YAMLFactory YAML = YAMLFactory.builder()
            .streamReadConstraints(CONSTRAINTS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL)
            .enable(YAMLParser.Feature.PARSE_BOOLEAN_LIKE_WORDS_AS_STRINGS)
            .build();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    /** Octal, hexadecimal, binary, and grouped digits. */
    private static final Pattern YAML_ONLY = Pattern.compile("[-+]?(?:0[0-9xXbB_]|[0-9.]*_)");

    private final Optional<String> source;
    private final Map<String, Parsed> anchors = new HashMap<>();
    private long repeated;

    /**
     * @param source origin of a text other than the manifest itself
     */
    DocumentTree(Optional<String> source) {
        this.source = source;
    }

    Parsed json(String text) throws IOException {
        try (JsonParser parser = JSON.createParser(text)) {
            return document(parser);
        }
    }

    Parsed yaml(String text) throws IOException {
        try (JsonParser parser = YAML.createParser(text)) {
            return document(parser);
        }
    }

    private Parsed document(JsonParser parser) throws IOException {
        boolean empty = parser.nextToken() == null;
        SourceMap start = SourceMap.at(position(parser));
        Parsed root = empty ? new Parsed(NODES.nullNode(), start) : value(parser, start, 1);
        if (parser.nextToken() != null) {
            throw new JsonParseException(parser, "expected one document, found several");
        }
        return root;
    }

    private SourcePosition position(JsonParser parser) {
        JsonLocation start = parser.currentTokenLocation();
        return new SourcePosition(source, Optional.of(new SourcePosition.Mark(start.getLineNr(), start.getColumnNr())));
    }

    private Parsed value(JsonParser parser, SourceMap start, int depth) throws IOException {
        if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
            return repeat(yaml, start, depth);
        }
        String anchor = parser.getObjectId() instanceof String name ? name : null;
        JsonNode node = switch (parser.currentToken()) {
            case START_OBJECT -> map(parser, start, depth);
            case START_ARRAY -> list(parser, start, depth);
            default -> scalar(parser);
        };
        Parsed value = new Parsed(node, start);
        if (anchor != null) {
            anchors.put(anchor, value);
        }
        return value;
    }

    private JsonNode map(JsonParser parser, SourceMap sources, int depth) throws IOException {
        ObjectNode map = NODES.objectNode();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            SourcePosition start = position(parser);
            parser.nextToken();
            Parsed value = value(parser, new SourceMap(start, position(parser)), depth + 1);
            map.set(key, value.document());
            sources.add(key, value.sources());
        }
        return map;
    }

    private JsonNode list(JsonParser parser, SourceMap sources, int depth) throws IOException {
        ArrayNode list = NODES.arrayNode();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            Parsed value = value(parser, SourceMap.at(position(parser)), depth + 1);
            sources.add(value.sources());
            list.add(value.document());
        }
        return list;
    }

    private static JsonNode scalar(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_NULL -> NODES.nullNode();
            case VALUE_TRUE, VALUE_FALSE -> WrittenScalar.of(parser);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser);
            default -> NODES.textNode(parser.getText());
        };
    }

    /** Numbers that only YAML knows stay texts: 0755 in a command is not 493, and 12:30 is a time. */
    private static JsonNode number(JsonParser parser) throws IOException {
        if (YAML_ONLY.matcher(parser.getText()).lookingAt()) {
            return NODES.textNode(parser.getText());
        }
        try {
            return WrittenScalar.of(parser);
        } catch (StreamReadException | NumberFormatException odd) {
            return NODES.textNode(parser.getText());
        }
    }

    private Parsed repeat(YAMLParser parser, SourceMap alias, int depth) throws IOException {
        String name = parser.getText();
        Parsed original = anchors.get(name);
        if (original == null) {
            throw new JsonParseException(parser, "the alias *" + name + " has no anchor on a map or list before it");
        }
        repeated += weigh(parser, original.document(), depth);
        alias.repeat(original.sources());
        return new Parsed(original.document().deepCopy(), alias);
    }

    private long weigh(JsonParser parser, JsonNode node, int depth) throws IOException {
        if (depth > Json.MAX_DEPTH) {
            throw new JsonParseException(parser, "nested deeper than " + Json.MAX_DEPTH);
        }
        long weight = 1L + node.asText().length();
        for (JsonNode child : node) {
            weight += weigh(parser, child, depth + 1);
        }
        if (repeated + weight > MAX_REPEATED) {
            throw new JsonParseException(parser, "aliases expand to too many values");
        }
        return weight;
    }
}
