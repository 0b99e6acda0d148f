package dev.loopkeeper.gateway.feed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.Redaction;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoredEvent;
import java.time.Instant;

/**
 * One event as every client of the feed gets it: the envelope plus {@code cursor}. Encoded once.
 *
 * @param position its place in the order over all runs; as a text it is the cursor
 */
public record EncodedEvent(long position, String runId, String type, String text) {
    public static EncodedEvent of(PositionedEvent event) {
        StoredEvent told = event.event();
        Message message = new Message(
                told.runId(),
                told.sequence(),
                told.at(),
                told.type(),
                told.execution(),
                Redaction.of(told.data()),
                Long.toString(event.position()));
        try {
            return new EncodedEvent(
                    event.position(), told.runId(), told.type(), Json.MAPPER.writeValueAsString(message));
        } catch (JsonProcessingException neverOfATree) {
            throw new IllegalStateException("an event that cannot be written", neverOfATree);
        }
    }

    /** Written as it stands, without a tree of the whole in between. */
    private record Message(
            String runId, long sequence, Instant at, String type, int execution, JsonNode data, String cursor) {}

    String cursor() {
        return Long.toString(position);
    }
}
