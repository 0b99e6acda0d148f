package dev.loopkeeper.gateway;

import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.gateway.http.ClientGone;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/** Bytes on their way from a log to a client, no faster than the client reads. */
final class LogTransfer {
    private static final int CHUNK = 64 * 1024;

    private final Vertx vertx;
    private final HttpServerResponse response;
    private final StepLog log;
    private final Promise<Void> closed = Promise.promise();
    private long offset;
    private long left;

    LogTransfer(Vertx vertx, HttpServerResponse response, StepLog log, long offset, long limit) {
        this.vertx = vertx;
        this.response = response;
        this.log = log;
        this.offset = offset;
        this.left = limit;
    }

    /** Sends what is there at this moment, and ends. */
    Future<Void> upToNow() {
        return vertx.executeBlocking(log::size, false).compose(size -> {
            left = Math.min(left, Math.max(0, size - offset));
            begin();
            return toTheEnd().compose(sent -> end());
        });
    }

    /** Says what follows; before the first byte. */
    void begin() {
        response.setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .exceptionHandler(ClientGone::note)
                .closeHandler(gone -> closed.tryComplete());
    }

    /** Lets the client know that it is being served, though there may be no byte for long. */
    void sendHead() {
        response.writeHead().onFailure(ClientGone::note);
    }

    /** Sends what the log has now; completes at its end, at the limit, or when the client has gone. */
    Future<Void> toTheEnd() {
        Promise<Void> done = Promise.promise();
        next(done);
        return done.future();
    }

    private void next(Promise<Void> done) {
        if (finished()) {
            done.tryComplete();
            return;
        }
        int length = (int) Math.min(CHUNK, left);
        vertx.executeBlocking(() -> log.read(offset, length), false).onComplete(part -> send(part, done), done::fail);
    }

    private void send(LogFile.Part part, Promise<Void> done) {
        if (part.bytes().length() == 0 || response.closed()) {
            done.tryComplete();
            return;
        }
        left -= Math.min(left, part.next() - offset);
        offset = part.next();
        response.write(part.bytes()).onFailure(ClientGone::note);
        drained().onComplete(ready -> next(done), done::fail);
    }

    private Future<Void> drained() {
        if (response.closed() || !response.writeQueueFull()) {
            return Future.succeededFuture();
        }
        Promise<Void> drained = Promise.promise();
        response.drainHandler(drained::tryComplete);
        return Future.any(drained.future(), closed.future()).mapEmpty();
    }

    /** Nothing more can or need be sent. */
    boolean finished() {
        return left <= 0 || response.closed();
    }

    /** Completes when the client has gone. */
    Future<Void> closed() {
        return closed.future();
    }

    Future<Void> end() {
        return response.closed() ? Future.succeededFuture() : response.end();
    }
}
