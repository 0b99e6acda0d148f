package dev.loopkeeper.gateway.http;

import dev.loopkeeper.work.PulledStream;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A response body that is produced piece by piece as the client reads it, so it needs memory for two pieces only. Used
 * from one context.
 */
public final class Body {
    /** Recommended size of a piece in bytes. */
    public static final int PIECE = 128 * 1024;

    private final Vertx vertx;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final Supplier<Future<Piece>> source;
    private Optional<Duration> patience = Optional.empty();
    private long cutting;
    private Optional<Piece> ready = Optional.empty();
    private boolean ended;

    /**
     * A part of the body.
     *
     * @param last whether this is the last piece
     */
    public record Piece(Buffer bytes, boolean last) {}

    /** @param source produces the next piece on each call; not called after the last piece */
    public Body(Vertx vertx, HttpServerRequest request, Supplier<Future<Piece>> source) {
        this.vertx = vertx;
        this.request = request;
        this.response = request.response();
        this.source = source;
    }

    /** Cuts the connection of a client that takes longer than this to read a piece. */
    public Body cutAfter(Duration slowest) {
        patience = Optional.of(slowest);
        return this;
    }

    /**
     * Sends the complete body. Fails only before anything is sent; a later failure cuts the connection, so that no
     * client mistakes a part for the complete body. Also completes when the client disconnects.
     *
     * @param head sets the response headers, which are sent at once if the first piece is empty
     */
    public Future<Void> send(Handler<HttpServerResponse> head) {
        return source.get().compose(first -> {
            if (response.closed()) {
                return Future.succeededFuture();
            }
            head.handle(response.exceptionHandler(ClientGone::note));
            response.setChunked(!first.last() && !response.headers().contains("Content-Length"));
            if (first.bytes().length() == 0 && !first.last()) {
                response.writeHead().onFailure(ClientGone::note);
            }
            ready = Optional.of(first);
            awaitClient();
            Future<Void> sent = first.last() || HttpMethod.HEAD.equals(request.method())
                    ? response.end(first.bytes())
                    : new PulledStream(vertx, this::next, () -> {})
                            .pipe()
                            .endOnFailure(false)
                            .to(response);
            return sent.onComplete(any -> stopWaiting()).recover(broken -> {
                ClientGone.note(broken);
                Connections.cut(request.connection());
                return Future.succeededFuture();
            });
        });
    }

    private void awaitClient() {
        stopWaiting();
        patience.ifPresent(slowest ->
                cutting = vertx.setTimer(slowest.toMillis(), timeout -> Connections.cut(request.connection())));
    }

    private void stopWaiting() {
        boolean unused = vertx.cancelTimer(cutting);
    }

    /** Called once the client has read the piece before. */
    private Future<Optional<Buffer>> next() {
        if (ended) {
            return Future.succeededFuture(Optional.empty());
        }
        stopWaiting();
        return ready.map(Future::succeededFuture).orElseGet(source).compose(this::made);
    }

    private Future<Optional<Buffer>> made(Piece piece) {
        ready = Optional.empty();
        ended = piece.last();
        awaitClient();
        return piece.bytes().length() == 0 ? next() : Future.succeededFuture(Optional.of(piece.bytes()));
    }
}
