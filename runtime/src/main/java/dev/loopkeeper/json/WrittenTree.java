package dev.loopkeeper.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** Reads trees whose numbers keep their original text. The parser bounds the nesting. */
final class WrittenTree extends StdDeserializer<JsonNode> {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    WrittenTree() {
        super(JsonNode.class);
    }

    @Override
    public JsonNode deserialize(JsonParser in, DeserializationContext context) throws IOException {
        return value(in);
    }

    @Override
    public JsonNode getNullValue(DeserializationContext context) {
        return NullNode.getInstance();
    }

    private static JsonNode value(JsonParser in) throws IOException {
        return switch (in.currentToken()) {
            case START_OBJECT -> object(in);
            case START_ARRAY -> array(in);
            case VALUE_NULL -> NullNode.getInstance();
            case VALUE_STRING -> NODES.textNode(in.getText());
            default -> WrittenScalar.of(in);
        };
    }

    private static JsonNode object(JsonParser in) throws IOException {
        ObjectNode object = NODES.objectNode();
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.currentName();
            in.nextToken();
            object.set(name, value(in));
        }
        return object;
    }

    private static JsonNode array(JsonParser in) throws IOException {
        ArrayNode array = NODES.arrayNode();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            array.add(value(in));
        }
        return array;
    }
}
