package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.Manifest;
import java.io.IOException;
import java.util.List;

/**
 * Writes and reads resolved manifests: every effective value, with a {@code formatVersion}. Reading ignores unknown
 * fields and applies no current rule. A field that is added later gets its earlier effective value by a step of the
 * format.
 */
final class ManifestJson {
    private static final FormatSteps FORMAT = new FormatSteps("a recorded manifest", List.of());

    /** A {@link Json} mapper that also writes and reads recorded manifests. Thread-safe, never reconfigured. */
    static final JsonMapper MAPPER = Json.MAPPER
            .rebuild()
            .addModule(new SimpleModule("manifests")
                    .addSerializer(Manifest.class, new Writer())
                    .addDeserializer(Manifest.class, new Reader()))
            .build();

    private ManifestJson() {}

    static ObjectNode write(Manifest manifest) {
        ObjectNode recorded = Json.MAPPER.createObjectNode().put("formatVersion", FORMAT.current());
        return recorded.setAll((ObjectNode) Json.MAPPER.valueToTree(manifest));
    }

    static Manifest read(JsonNode recorded) {
        try {
            return Json.MAPPER.treeToValue(FORMAT.upgrade(recorded), Manifest.class);
        } catch (JsonProcessingException unreadable) {
            throw new CheckpointException("an unreadable recorded manifest: " + unreadable.getOriginalMessage());
        }
    }

    private static final class Writer extends StdSerializer<Manifest> {
        Writer() {
            super(Manifest.class);
        }

        @Override
        public void serialize(Manifest manifest, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeTree(write(manifest));
        }
    }

    private static final class Reader extends StdDeserializer<Manifest> {
        Reader() {
            super(Manifest.class);
        }

        @Override
        public Manifest deserialize(JsonParser in, DeserializationContext context) throws IOException {
            return read(context.readTree(in));
        }
    }
}
