package dev.loopkeeper.gateway;

import dev.loopkeeper.gateway.http.Body;
import dev.loopkeeper.gateway.http.ClientGone;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.Callable;

/**
 * A log that is sent to a client in some form, no faster than the client reads. {@link LogFollow} continues it as the
 * log grows.
 */
abstract class LogStream {
    final HttpServerResponse response;
    final StepLog log;

    private final Vertx vertx;
    private final HttpServerRequest request;
    private final String type;
    private final Promise<Void> closed = Promise.promise();

    /** @param type media type */
    LogStream(Vertx vertx, HttpServerRequest request, StepLog log, String type) {
        this.vertx = vertx;
        this.request = request;
        this.response = request.response();
        this.log = log;
        this.type = type;
    }

    /** Sets the headers of the response, which must not be cached. Call before the first byte. */
    void begin() {
        response.setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, type)
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .exceptionHandler(ClientGone::note)
                .closeHandler(gone -> closed.tryComplete());
    }

    /** Sends the head at once, since the log may stay empty for long. */
    void sendHead() {
        response.writeHead().onFailure(ClientGone::note);
    }

    /**
     * Sends what the log has at the moment. Completes at its end, or if nothing more can be sent. One call at a time.
     */
    Future<Void> toTheEnd() {
        return new Body(vertx, request, this::piece).sendPart();
    }

    /** Reads the next piece. */
    abstract Future<Body.Piece> piece();

    <T> Future<T> onWorker(Callable<T> read) {
        return vertx.executeBlocking(read, false);
    }

    /** Returns the offset of the next unread byte. */
    abstract long offset();

    /** Returns whether nothing more can or need be sent. */
    boolean finished() {
        return response.closed();
    }

    /** Completes when the client disconnects. */
    Future<Void> closed() {
        return closed.future();
    }

    /** Ends the response. */
    abstract Future<Void> end();
}
