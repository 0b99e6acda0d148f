package dev.loopkeeper.gateway;

import dev.loopkeeper.gateway.http.ClientGone;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/** A log that is sent to a client in some form; {@link LogFollow} continues it as the log grows. */
interface LogStream {
    /** Sets the response headers. Call before the first byte. */
    void begin();

    /**
     * Sets the headers of a log response, which must not be cached.
     *
     * @param type media type
     * @param closed completed when the client disconnects
     */
    static void begin(HttpServerResponse response, String type, Promise<Void> closed) {
        response.setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, type)
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .exceptionHandler(ClientGone::note)
                .closeHandler(gone -> closed.tryComplete());
    }

    /** Sends the head at once, since the log may stay empty for long. */
    void sendHead();

    /** Returns the offset of the next unread byte. */
    long offset();

    /**
     * Sends what the log has at the moment. Completes at its end, or if nothing more can be sent. One call at a time.
     */
    Future<Void> toTheEnd();

    /** Returns whether nothing more can or need be sent. */
    boolean finished();

    /** Completes when the client disconnects. */
    Future<Void> closed();

    /** Ends the response. */
    Future<Void> end();
}
