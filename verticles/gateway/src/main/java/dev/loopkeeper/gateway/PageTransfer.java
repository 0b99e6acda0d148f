package dev.loopkeeper.gateway;

import dev.loopkeeper.gateway.http.ClientGone;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.Callable;

/**
 * A page of lines on its way to a client, no faster than the client reads: {@code {"lines": [{offset, at, kind, text}],
 * "nextOffset": 8192}}.
 */
final class PageTransfer {
    private static final int ENOUGH = 128 * 1024;

    private final Vertx vertx;
    private final HttpServerResponse response;
    private final Callable<LinesPage> opening;
    private LinesPage page;
    private boolean over;
    private String between = "";

    /** @param opening blocking */
    PageTransfer(Vertx vertx, HttpServerResponse response, Callable<LinesPage> opening) {
        this.vertx = vertx;
        this.response = response;
        this.opening = opening;
    }

    /** Completes when all is sent or the client has gone. */
    Future<Void> send() {
        return vertx.executeBlocking(this::piece, false).compose(this::write);
    }

    /** On a worker. */
    private Buffer piece() throws Exception {
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
        return over ? piece.appendString("],\"nextOffset\":" + page.next() + "}") : piece;
    }

    private Future<Void> write(Buffer piece) {
        if (response.closed()) {
            return Future.succeededFuture();
        }
        if (!response.headWritten()) {
            response.setChunked(!over)
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                    .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                    .exceptionHandler(ClientGone::note);
        }
        Future<Void> written = over ? response.end(piece) : response.write(piece);
        return written.compose(sent -> over ? Future.succeededFuture() : send(), gone -> {
            ClientGone.note(gone);
            return Future.succeededFuture();
        });
    }
}
