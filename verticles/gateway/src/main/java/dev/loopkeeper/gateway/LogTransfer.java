package dev.loopkeeper.gateway;

import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.gateway.http.Body;
import dev.loopkeeper.gateway.http.ClientGone;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;

/** Sends bytes of a log, no faster than the client reads. */
final class LogTransfer implements LogStream {
    private final Vertx vertx;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final StepLog log;
    private final Promise<Void> closed = Promise.promise();
    private long offset;
    private long left;

    LogTransfer(Vertx vertx, HttpServerRequest request, StepLog log, long offset, long limit) {
        this.vertx = vertx;
        this.request = request;
        this.response = request.response();
        this.log = log;
        this.offset = offset;
        this.left = limit;
    }

    /** Sends the current content and ends the response. */
    Future<Void> upToNow() {
        return vertx.executeBlocking(log::size, false).compose(size -> {
            left = Math.min(left, Math.max(0, size - offset));
            begin();
            return toTheEnd().compose(sent -> end());
        });
    }

    @Override
    public void begin() {
        LogStream.begin(response, "text/plain; charset=utf-8", closed);
    }

    @Override
    public void sendHead() {
        response.writeHead().onFailure(ClientGone::note);
    }

    @Override
    public long offset() {
        return offset;
    }

    @Override
    public Future<Void> toTheEnd() {
        return new Body(
                        vertx,
                        request,
                        () -> vertx.executeBlocking(this::part, false).map(this::piece))
                .sendPart();
    }

    /** Called on a worker. */
    private LogFile.Part part() throws IOException {
        if (log.size() < offset) {
            offset = 0; // the agent has truncated its log
        }
        return log.read(offset, (int) Math.min(Body.PIECE, left));
    }

    private Body.Piece piece(LogFile.Part part) {
        boolean last = part.next() == offset;
        left -= Math.min(left, part.next() - offset);
        offset = part.next();
        return new Body.Piece(part.bytes(), last || left == 0);
    }

    @Override
    public boolean finished() {
        return left <= 0 || response.closed();
    }

    @Override
    public Future<Void> closed() {
        return closed.future();
    }

    @Override
    public Future<Void> end() {
        return response.closed() ? Future.succeededFuture() : response.end();
    }
}
