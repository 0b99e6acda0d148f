package dev.loopkeeper.gateway;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.gateway.http.Body;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.EventStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * One page of a run's stop receipts, {@code {"receipts": [...], "nextSince": null}}, read from the store piece by piece. It
 * ends at 4 MiB, but has at least one receipt where there is one.
 */
final class ReceiptsPage {
    private final Vertx vertx;
    private final EventStore store;
    private final String runId;
    private int next;
    private long bytes;

    /** @param since how many receipts the client has read */
    ReceiptsPage(Vertx vertx, EventStore store, String runId, int since) {
        this.vertx = vertx;
        this.store = store;
        this.runId = runId;
        this.next = since;
    }

    Future<Body.Piece> piece() {
        return store.receipts(runId, next).compose(receipts -> vertx.executeBlocking(() -> piece(receipts), false));
    }

    private Body.Piece piece(List<String> receipts) throws JsonProcessingException {
        Buffer piece = Buffer.buffer(bytes == 0 ? "{\"receipts\":[" : "");
        for (String receipt : receipts) {
            byte[] text = Json.MAPPER.writeValueAsBytes(Json.MAPPER.readTree(receipt));
            if (bytes > 0 && bytes + text.length > EventsPage.MOST_BYTES - EventsPage.END_BYTES) {
                return new Body.Piece(piece.appendString("],\"nextSince\":" + next + "}"), true);
            }
            piece.appendString(bytes > 0 ? "," : "").appendBytes(text);
            bytes += text.length + 1;
            next++;
        }
        boolean last = receipts.isEmpty();
        return new Body.Piece(last ? piece.appendString("],\"nextSince\":null}") : piece, last);
    }
}
