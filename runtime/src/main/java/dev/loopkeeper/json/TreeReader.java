package dev.loopkeeper.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.std.JsonNodeDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;

/** Reads trees as Jackson does, but reads a null as absent, so that an optional tree is empty. */
final class TreeReader extends StdDeserializer<JsonNode> {
    private static final JsonDeserializer<? extends JsonNode> TREES =
            JsonNodeDeserializer.getDeserializer(JsonNode.class);

    TreeReader() {
        super(JsonNode.class);
    }

    @Override
    public JsonNode deserialize(JsonParser in, DeserializationContext context) throws IOException {
        return TREES.deserialize(in, context);
    }

    @Override
    public JsonNode getNullValue(DeserializationContext context) {
        return null;
    }
}
