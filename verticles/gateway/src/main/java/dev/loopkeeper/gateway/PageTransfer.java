package dev.loopkeeper.gateway;

import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.gateway.http.Connections;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * A page of lines on its way to a client, no faster than the client reads: {@code {"lines": [{offset, at, kind, text}],
 * "nextOffset": 8192}}.
 */
final class PageTransfer {
    private static final int ENOUGH = 128 * 1024;
    /** In which a client takes a piece, or is cut off. */
    private static final Duration SLOWEST = Duration.ofMinutes(1);

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
        HttpServerResponse response = request.response();
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
        return written.timeout(SLOWEST.toMillis(), TimeUnit.MILLISECONDS)
                .compose(sent -> over ? Future.succeededFuture() : send(), gone -> {
                    ClientGone.note(gone);
                    Connections.cut(request.connection());
                    return Future.succeededFuture();
                });
    }
}
