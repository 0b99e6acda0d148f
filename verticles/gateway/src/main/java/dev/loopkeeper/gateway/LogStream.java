package dev.loopkeeper.gateway;

import dev.loopkeeper.gateway.http.ClientGone;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/** A log on its way to a client, in whatever form: what a {@link LogFollow} sends on as the log grows. */
interface LogStream {
    /** Says what follows; before the first byte. */
    void begin();

    /**
     * Says of an answer that it is a log, which nobody keeps.
     *
     * @param type its media type
     * @param closed is completed when the client has gone
     */
    static void begin(HttpServerResponse response, String type, Promise<Void> closed) {
        response.setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, type)
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .exceptionHandler(ClientGone::note)
                .closeHandler(gone -> closed.tryComplete());
    }

    /** Lets the client know that it is being served, though there may be nothing for long. */
    void sendHead();

    /** Where it reads on. */
    long offset();

    /** Sends what the log has now; completes at its end, or when nothing more can or need be sent. One at a time. */
    Future<Void> toTheEnd();

    /** Nothing more can or need be sent. */
    boolean finished();

    /** Completes when the client has gone. */
    Future<Void> closed();

    /** Ends the answer. */
    Future<Void> end();
}
