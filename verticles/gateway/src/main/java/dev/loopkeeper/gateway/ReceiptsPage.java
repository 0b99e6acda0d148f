package dev.loopkeeper.gateway;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.gateway.http.Body;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.EventStore.StoredReceipt;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * A page of a run's stop receipts, {@code {"receipts": [...], "nextCursor": null}}, read from the store piece by piece.
 * It ends at 4 MiB, but has at least one receipt if there is one.
 */
final class ReceiptsPage {
    private final Vertx vertx;
    private final EventStore store;
    private final String runId;
    private long next;
    private long bytes;

    /** @param since id of the last receipt that the client has read */
    ReceiptsPage(Vertx vertx, EventStore store, String runId, long since) {
        this.vertx = vertx;
        this.store = store;
        this.runId = runId;
        this.next = since;
    }

    Future<Body.Piece> piece() {
        return store.receipts(runId, next).compose(receipts -> vertx.executeBlocking(() -> piece(receipts), false));
    }

    private Body.Piece piece(List<StoredReceipt> receipts) throws JsonProcessingException {
        Buffer piece = Buffer.buffer(bytes == 0 ? "{\"receipts\":[" : "");
        for (StoredReceipt receipt : receipts) {
            byte[] text = Json.MAPPER.writeValueAsBytes(Json.MAPPER.readTree(receipt.json()));
            if (bytes > 0 && bytes + text.length > EventsPage.MOST_BYTES - EventsPage.END_BYTES) {
                return new Body.Piece(piece.appendString("],\"nextCursor\":\"" + next + "\"}"), true);
            }
            piece.appendString(bytes > 0 ? "," : "").appendBytes(text);
            bytes += text.length + 1;
            next = receipt.id();
        }
        boolean last = receipts.isEmpty();
        return new Body.Piece(last ? piece.appendString("],\"nextCursor\":null}") : piece, last);
    }
}
