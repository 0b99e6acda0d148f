package dev.loopkeeper.agent;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

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
    private static final JsonFactory FACTORY = new ObjectMapper(JsonFactory.builder()
                    .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST_SKIPPED)
                            .build())
                    .build())
            .getFactory();

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
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            WantedFields below = fields.get(name);
            JsonToken value = parser.nextToken();
            if (below == null) {
                parser.skipChildren();
            } else if (below.whole) {
                JsonNode read = parser.readValueAsTree();
                if (isWithin(read, Json.MAX_DEPTH - 1)) {
                    node.set(name, read);
                }
            } else if (value == JsonToken.START_OBJECT) {
                node.set(name, below.read(parser));
            } else {
                parser.skipChildren();
            }
        }
        return node;
    }

    private static boolean isWithin(JsonNode value, int levels) {
        return value.isValueNode() || (levels > 0 && value.valueStream().allMatch(part -> isWithin(part, levels - 1)));
    }
}
