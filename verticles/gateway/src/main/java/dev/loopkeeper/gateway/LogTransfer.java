package dev.loopkeeper.gateway;

import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.gateway.http.Body;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;

/** Sends bytes of a log. */
final class LogTransfer extends LogStream {
    private long offset;
    private long left;

    LogTransfer(Vertx vertx, HttpServerRequest request, StepLog log, long offset, long limit) {
        super(vertx, request, log, "text/plain; charset=utf-8");
        this.offset = offset;
        this.left = limit;
    }

    /** Sends the current content and ends the response. */
    Future<Void> upToNow() {
        return onWorker(log::size).compose(size -> {
            left = Math.min(left, Math.max(0, size - offset));
            begin();
            return toTheEnd().compose(sent -> end());
        });
    }

    @Override
    long offset() {
        return offset;
    }

    @Override
    Future<Body.Piece> piece() {
        return onWorker(this::part).map(part -> {
            boolean last = part.next() == offset;
            left -= Math.min(left, part.next() - offset);
            offset = part.next();
            return new Body.Piece(part.bytes(), last || left == 0);
        });
    }

    private LogFile.Part part() throws IOException {
        if (log.size() < offset) {
            offset = 0; // the agent has truncated its log
        }
        return log.read(offset, (int) Math.min(Body.PIECE, left));
    }

    @Override
    boolean finished() {
        return left <= 0 || super.finished();
    }

    @Override
    Future<Void> end() {
        return response.closed() ? Future.succeededFuture() : response.end();
    }
}
