package dev.loopkeeper.agent;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The fields of an event that are read; the parser skips everything else, whatever its size and depth.
 *
 * @param fields by name
 * @param whole whether everything below is read
 */
record WantedFields(Map<String, WantedFields> fields, boolean whole) {
    /** A value with everything in it, up to {@link Json#MAX_DEPTH} levels; deeper ones are dropped. */
    static final WantedFields WHOLE = new WantedFields(Map.of(), true);

    private static final int DEEPEST_SKIPPED = 100_000;
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST_SKIPPED)
                    .build())
            .build();

    /** These fields, each with everything in it. */
    static WantedFields of(String... names) {
        return new WantedFields(Map.of(), false).and(WHOLE, names);
    }

    /** Adds a field. */
    WantedFields with(String name, WantedFields below) {
        return and(below, name);
    }

    private WantedFields and(WantedFields below, String... names) {
        Map<String, WantedFields> more = new HashMap<>(fields);
        for (String name : names) {
            more.put(name, below);
        }
        return new WantedFields(Map.copyOf(more), false);
    }

    static JsonParser parser(byte[] bytes, int offset, int length) throws IOException {
        return FACTORY.createParser(bytes, offset, length);
    }

    static JsonParser parser(String text) throws IOException {
        return FACTORY.createParser(text);
    }

    /** Reads the object at the parser's position to its end. */
    ObjectNode read(JsonParser parser) throws IOException {
        ObjectNode node = NODES.objectNode();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            WantedFields below = fields.get(name);
            JsonToken value = parser.nextToken();
            if (below == null) {
                parser.skipChildren();
            } else if (below.whole) {
                copy(parser, Json.MAX_DEPTH - 1).ifPresent(child -> node.set(name, child));
            } else if (value == JsonToken.START_OBJECT) {
                node.set(name, below.read(parser));
            } else {
                parser.skipChildren();
            }
        }
        return node;
    }

    private static Optional<JsonNode> copy(JsonParser parser, int levels) throws IOException {
        if (levels == 0 && parser.currentToken().isStructStart()) {
            parser.skipChildren();
            return Optional.empty();
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser, levels);
            case START_ARRAY -> array(parser, levels);
            case VALUE_STRING -> Optional.of(NODES.textNode(parser.getText()));
            case VALUE_NUMBER_INT -> Optional.of(integer(parser));
            case VALUE_NUMBER_FLOAT -> Optional.of(NODES.numberNode(parser.getDoubleValue()));
            case VALUE_TRUE, VALUE_FALSE -> Optional.of(NODES.booleanNode(parser.getBooleanValue()));
            default -> Optional.of(NODES.nullNode());
        };
    }

    private static JsonNode integer(JsonParser parser) throws IOException {
        return switch (parser.getNumberType()) {
            case INT, LONG -> NODES.numberNode(parser.getLongValue());
            default -> NODES.numberNode(parser.getBigIntegerValue());
        };
    }

    /** Drops a value with a part that is too deep: half a value would be wrong. */
    private static Optional<JsonNode> object(JsonParser parser, int levels) throws IOException {
        ObjectNode node = NODES.objectNode();
        boolean complete = true;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken ignored = parser.nextToken();
            Optional<JsonNode> child = copy(parser, levels - 1);
            child.ifPresent(value -> node.set(name, value));
            complete &= child.isPresent();
        }
        return complete ? Optional.of(node) : Optional.empty();
    }

    private static Optional<JsonNode> array(JsonParser parser, int levels) throws IOException {
        ArrayNode node = NODES.arrayNode();
        boolean complete = true;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            Optional<JsonNode> child = copy(parser, levels - 1);
            child.ifPresent(node::add);
            complete &= child.isPresent();
        }
        return complete ? Optional.of(node) : Optional.empty();
    }
}
