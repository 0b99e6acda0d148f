package dev.loopkeeper.gateway.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One JSON document on its way to a client, made in pieces as the client takes them: the next piece is made when the one
 * before has left. So a document costs one piece of memory, however large it is and however slowly it is read.
 */
public final class Pieces {
    /** In which a client takes a piece, or is cut off. */
    private static final Duration SLOWEST = Duration.ofMinutes(1);

    private final HttpServerRequest request;
    private final Supplier<Future<Piece>> source;

    /**
     * A part of the document.
     *
     * @param last whether the document is complete with it
     */
    public record Piece(Buffer text, boolean last) {}

    /** @param source makes the next piece each time it is called; not called again after the last one */
    public Pieces(HttpServerRequest request, Supplier<Future<Piece>> source) {
        this.request = request;
        this.source = source;
    }

    /**
     * Completes when all is sent or the client has gone. Fails only before anything was sent; a later failure ends the
     * connection, so that no client takes a part for the document.
     */
    public Future<Void> send() {
        return source.get().compose(this::write);
    }

    private Future<Void> write(Piece piece) {
        HttpServerResponse response = request.response();
        if (response.closed()) {
            return Future.succeededFuture();
        }
        int bytes = piece.text().length();
        if (!LargeBodies.OF_PROCESS.take(bytes)) {
            return refuse(response);
        }
        if (!response.headWritten()) {
            response.setChunked(!piece.last())
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                    .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                    .exceptionHandler(ClientGone::note);
        }
        boolean last = piece.last() || HttpMethod.HEAD.equals(request.method());
        Future<Void> written = last ? response.end(piece.text()) : response.write(piece.text());
        return written.timeout(SLOWEST.toMillis(), TimeUnit.MILLISECONDS)
                .onComplete(over -> LargeBodies.OF_PROCESS.release(bytes))
                .compose(sent -> last ? Future.succeededFuture() : send())
                .recover(broken -> {
                    ClientGone.note(broken);
                    Connections.cut(request.connection());
                    return Future.succeededFuture();
                });
    }

    /** Clients that do not read hold too much. */
    private Future<Void> refuse(HttpServerResponse response) {
        if (!response.headWritten()) {
            return Future.failedFuture(Problem.tooManyAnswers());
        }
        Connections.cut(request.connection());
        return Future.succeededFuture();
    }
}
