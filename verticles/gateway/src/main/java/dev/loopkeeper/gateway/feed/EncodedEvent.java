package dev.loopkeeper.gateway.feed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.Redaction;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoredEvent;
import java.time.Instant;

/**
 * An event as all feed clients get it, encoded once for all live ones: the envelope plus {@code cursor}.
 *
 * @param position in the order over all runs; the cursor is its text
 */
public record EncodedEvent(long position, String runId, String type, String text) {
    public static EncodedEvent of(PositionedEvent event) {
        StoredEvent stored = event.event();
        Message message = new Message(
                stored.runId(),
                stored.sequence(),
                stored.at(),
                stored.type(),
                stored.execution(),
                Redaction.of(stored.data()),
                Long.toString(event.position()));
        try {
            return new EncodedEvent(
                    event.position(), stored.runId(), stored.type(), Json.MAPPER.writeValueAsString(message));
        } catch (JsonProcessingException neverOfATree) {
            throw new IllegalStateException("an event cannot be serialized", neverOfATree);
        }
    }

    /** Serialized directly, without a JSON tree of the complete message. */
    private record Message(
            String runId, long sequence, Instant at, String type, int execution, JsonNode data, String cursor) {}

    String cursor() {
        return Long.toString(position);
    }
}
