package dev.loopkeeper.gateway;

import dev.loopkeeper.gateway.http.Pieces;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.Callable;

/**
 * A page of lines on its way to a client, no faster than the client reads: {@code {"lines": [{offset, at, kind, text}],
 * "nextOffset": 8192}}.
 */
final class PageTransfer {
    private static final int ENOUGH = 128 * 1024;

    private final Vertx vertx;
    private final HttpServerRequest request;
    private final Callable<LinesPage> opening;
    private LinesPage page;
    private boolean over;
    private String between = "";

    /** @param opening blocking */
    PageTransfer(Vertx vertx, HttpServerRequest request, Callable<LinesPage> opening) {
        this.vertx = vertx;
        this.request = request;
        this.opening = opening;
    }

    /** Completes when all is sent or the client has gone. */
    Future<Void> send() {
        return new Pieces(request, () -> vertx.executeBlocking(this::piece, false)).send();
    }

    /** On a worker. */
    private Pieces.Piece piece() throws Exception {
        Buffer piece = Buffer.buffer();
        if (page == null) {
            page = opening.call();
            piece.appendString("{\"lines\":[");
        }
        while (!over && piece.length() < ENOUGH) {
            over = !page.read(line -> {
                piece.appendString(between).appendString(LinesTransfer.json(line));
                between = ",";
            });
        }
        return new Pieces.Piece(over ? piece.appendString("],\"nextOffset\":" + page.next() + "}") : piece, over);
    }
}
