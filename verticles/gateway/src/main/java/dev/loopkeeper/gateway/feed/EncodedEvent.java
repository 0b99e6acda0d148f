package dev.loopkeeper.gateway.feed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.gateway.http.Redaction;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.PositionedEvent;

/**
 * One event as every client of the feed gets it: the envelope plus {@code cursor}. Encoded once.
 *
 * @param position its place in the order over all runs; as a text it is the cursor
 */
public record EncodedEvent(long position, String runId, String type, String text) {
    public static EncodedEvent of(PositionedEvent event) {
        ObjectNode message = Json.MAPPER.valueToTree(event.event());
        message.set("data", Redaction.of(message.path("data")));
        message.put("cursor", Long.toString(event.position()));
        return new EncodedEvent(
                event.position(), event.event().runId(), event.event().type(), message.toString());
    }

    String cursor() {
        return Long.toString(position);
    }
}
