package dev.loopkeeper.gateway;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.checkpoint.Redaction;
import dev.loopkeeper.gateway.http.Body;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoredEvent;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * A page of a run's events, {@code {"events": [...], "nextSince": 41}}, read from the store piece by piece. It ends at
 * the limit or at 4 MiB, but has at least one event if there is one.
 */
final class EventsPage {
    static final int MOST_BYTES = 4 << 20;
    /** Reserved for the text after the events. */
    static final int END_BYTES = 64;

    private final Vertx vertx;
    private final EventStore store;
    private final String runId;
    private long next;
    private int left;
    private long bytes;

    EventsPage(Vertx vertx, EventStore store, String runId, long since, int limit) {
        this.vertx = vertx;
        this.store = store;
        this.runId = runId;
        this.next = since;
        this.left = limit;
    }

    Future<Body.Piece> piece() {
        return store.events(runId, next, left).compose(events -> vertx.executeBlocking(() -> piece(events), false));
    }

    private Body.Piece piece(List<PositionedEvent> events) throws JsonProcessingException {
        Buffer piece = Buffer.buffer(bytes == 0 ? "{\"events\":[" : "");
        boolean last = events.isEmpty();
        for (PositionedEvent positioned : events) {
            byte[] text = text(positioned.event());
            last = bytes > 0 && bytes + text.length > MOST_BYTES - END_BYTES;
            if (last) {
                break;
            }
            piece.appendString(bytes > 0 ? "," : "").appendBytes(text);
            bytes += text.length + 1;
            next = positioned.event().sequence();
            left--;
        }
        last = last || left == 0;
        return new Body.Piece(last ? piece.appendString("],\"nextSince\":" + next + "}") : piece, last);
    }

    private static byte[] text(StoredEvent event) throws JsonProcessingException {
        return Json.MAPPER.writeValueAsBytes(new StoredEvent(
                event.runId(),
                event.sequence(),
                event.at(),
                event.type(),
                event.execution(),
                Redaction.of(event.data())));
    }
}
