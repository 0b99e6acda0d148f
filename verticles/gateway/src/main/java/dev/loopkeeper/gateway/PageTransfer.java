package dev.loopkeeper.gateway;

import dev.loopkeeper.gateway.http.Body;
import dev.loopkeeper.gateway.http.LargeBodies;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.Callable;

/**
 * Sends a page of lines, no faster than the client reads: {@code {"lines": [{offset, at, kind, text}], "nextOffset":
 * 8192}}.
 */
final class PageTransfer {
    private final Vertx vertx;
    private final HttpServerRequest request;
    private final Callable<LinesPage> opening;
    private LinesPage page;
    private boolean complete;
    private String between = "";

    /** @param opening opens the page; blocks */
    PageTransfer(Vertx vertx, HttpServerRequest request, Callable<LinesPage> opening) {
        this.vertx = vertx;
        this.request = request;
        this.opening = opening;
    }

    /** Completes when all is sent or the client has disconnected. */
    Future<Void> send() {
        return LargeBodies.OF_PROCESS.sendJson(vertx, request, () -> vertx.executeBlocking(this::piece, false));
    }

    /** Called on a worker. */
    private Body.Piece piece() throws Exception {
        Buffer piece = Buffer.buffer();
        if (page == null) {
            page = opening.call();
            piece.appendString("{\"lines\":[");
        }
        while (!complete && piece.length() < Body.PIECE) {
            complete = !page.read(line -> {
                piece.appendString(between).appendString(LinesTransfer.json(line));
                between = ",";
            });
        }
        return new Body.Piece(complete ? piece.appendString("],\"nextOffset\":" + page.next() + "}") : piece, complete);
    }
}
