package dev.loopkeeper.gateway;

import io.vertx.core.Future;

/** A log on its way to a client, in whatever form: what a {@link LogFollow} sends on as the log grows. */
interface LogStream {
    /** Says what follows; before the first byte. */
    void begin();

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
