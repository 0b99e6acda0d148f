package dev.loopkeeper.contract;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageCodec;
import java.nio.charset.StandardCharsets;

/**
 * Passes records by reference in one JVM and as JSON between nodes:
 * {@code {"version":1,"type":"dev.loopkeeper.process.LaunchStep","body":{...}}}. Unknown fields of a body are ignored,
 * an unknown version is refused.
 */
public final class RecordCodec implements MessageCodec<Object, Object> {
    /** Name of the codec. */
    public static final String NAME = "loopkeeper";

    private static final int VERSION = 1;
    private static final String OWN_PACKAGES = "dev.loopkeeper.";

    /** Registers the codec where Loopkeeper is deployed; without it messages would be lost silently. */
    public static void register(Vertx vertx) {
        try {
            vertx.eventBus().registerCodec(new RecordCodec());
        } catch (IllegalStateException alreadyThere) {
            // A second deployment into the same Vertx shares the codec.
            return;
        }
    }

    /** Delivers by reference on this node only. */
    static DeliveryOptions delivery() {
        return new DeliveryOptions().setCodecName(NAME).setLocalOnly(true);
    }

    @Override
    public void encodeToWire(Buffer buffer, Object message) {
        ObjectNode envelope = Json.MAPPER.createObjectNode();
        envelope.put("version", VERSION).put("type", message.getClass().getName());
        envelope.set("body", Json.MAPPER.valueToTree(message));
        byte[] bytes = envelope.toString().getBytes(StandardCharsets.UTF_8);
        buffer.appendInt(bytes.length).appendBytes(bytes);
    }

    @Override
    public Object decodeFromWire(int position, Buffer buffer) {
        int length = buffer.getInt(position);
        String text = buffer.getString(position + Integer.BYTES, position + Integer.BYTES + length);
        try {
            return decode(Json.MAPPER.readTree(text));
        } catch (JsonProcessingException | ClassNotFoundException unreadable) {
            throw new IllegalArgumentException("unreadable bus message: " + unreadable.getMessage(), unreadable);
        }
    }

    private static Object decode(JsonNode envelope) throws JsonProcessingException, ClassNotFoundException {
        String type = envelope.path("type").asText();
        if (envelope.path("version").asInt() != VERSION || !type.startsWith(OWN_PACKAGES)) {
            throw new IllegalArgumentException("unknown bus message version or type: " + type);
        }
        return Json.MAPPER.treeToValue(envelope.get("body"), Class.forName(type));
    }

    @Override
    public Object transform(Object message) {
        return message;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public byte systemCodecID() {
        return -1;
    }
}
