package dev.loopkeeper.gateway;

import dev.loopkeeper.agent.SaidLine;
import dev.loopkeeper.gateway.http.Body;
import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.json.Json;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.util.concurrent.Callable;

/** Sends lines of a log, one JSON object per line, no faster than the client reads. */
final class LinesTransfer implements LogStream {
    private final Vertx vertx;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final StepLog log;
    private final Callable<ReadableLog.Start> opening;
    private final Promise<Void> closed = Promise.promise();
    private LogLines reader;
    private long skipped;
    private long offset;

    /** @param opening returns where to begin; blocks */
    LinesTransfer(Vertx vertx, HttpServerRequest request, StepLog log, Callable<ReadableLog.Start> opening) {
        this.vertx = vertx;
        this.request = request;
        this.response = request.response();
        this.log = log;
        this.opening = opening;
    }

    @Override
    public void begin() {
        LogStream.begin(response, "application/x-ndjson", closed);
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
                        () -> vertx.executeBlocking(this::some, false).map(this::piece))
                .sendPart();
    }

    private Body.Piece piece(Buffer lines) {
        boolean last = reader.next() == offset && lines.length() == 0;
        offset = reader.next();
        return new Body.Piece(lines, last);
    }

    /** Reads the next lines on a worker; empty if the log has no more at the moment. */
    private Buffer some() throws Exception {
        Buffer lines = Buffer.buffer();
        if (reader == null) {
            ReadableLog.Start begin = opening.call();
            reader = begin.reader();
            skipped = begin.skipped();
        }
        long end = log.size();
        if (end < reader.next()) {
            reader.restart().forEach(line -> append(lines, line));
            skipped = 0;
        }
        boolean more = true;
        while (more && lines.length() < Body.PIECE) {
            more = read(end, lines);
        }
        return lines;
    }

    private boolean read(long end, Buffer lines) throws IOException {
        return reader.read(end, line -> append(lines, line));
    }

    private void append(Buffer lines, SaidLine line) {
        if (skipped > 0) {
            skipped--;
        } else {
            lines.appendString(json(line)).appendByte((byte) '\n');
        }
    }

    static String json(SaidLine line) {
        return Json.MAPPER.valueToTree(line).toString();
    }

    @Override
    public boolean finished() {
        return response.closed();
    }

    @Override
    public Future<Void> closed() {
        return closed.future();
    }

    /** Also sends an unterminated last line. */
    @Override
    public Future<Void> end() {
        Buffer last = Buffer.buffer();
        if (reader != null) {
            reader.finish().forEach(line -> append(last, line));
        }
        return finished() ? Future.succeededFuture() : response.end(last);
    }
}
