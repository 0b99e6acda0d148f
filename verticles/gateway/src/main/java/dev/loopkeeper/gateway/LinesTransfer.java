package dev.loopkeeper.gateway;

import dev.loopkeeper.agent.said.SaidLine;
import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.json.Json;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.util.concurrent.Callable;

/** Lines of a log on their way to a client, one JSON object to a line, no faster than the client reads. */
final class LinesTransfer implements LogStream {
    private static final int ENOUGH = 128 * 1024;

    private final Vertx vertx;
    private final HttpServerResponse response;
    private final StepLog log;
    private final Callable<ReadableLog.Start> opening;
    private final Promise<Void> closed = Promise.promise();
    private LogLines reader;
    private long passed;
    private long offset;

    /** @param opening where to begin; blocking */
    LinesTransfer(Vertx vertx, HttpServerResponse response, StepLog log, Callable<ReadableLog.Start> opening) {
        this.vertx = vertx;
        this.response = response;
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
        Promise<Void> done = Promise.promise();
        next(done);
        return done.future();
    }

    private void next(Promise<Void> done) {
        if (finished()) {
            done.complete();
        } else {
            vertx.executeBlocking(this::some, false).onComplete(lines -> send(lines, done), done::fail);
        }
    }

    private void send(Buffer lines, Promise<Void> done) {
        if (reader.next() == offset && lines.length() == 0) {
            done.complete();
            return;
        }
        offset = reader.next();
        write(lines).onComplete(written -> next(done));
    }

    /** A client that has gone needs nothing more. */
    private Future<Void> write(Buffer lines) {
        if (lines.length() == 0 || finished()) {
            return Future.succeededFuture();
        }
        return response.write(lines).otherwise(gone -> {
            ClientGone.note(gone);
            return null;
        });
    }

    /** The next lines, on a worker; none where the log has no more now. */
    private Buffer some() throws Exception {
        Buffer lines = Buffer.buffer();
        if (reader == null) {
            ReadableLog.Start begin = opening.call();
            reader = begin.reader();
            passed = begin.passed();
        }
        long end = log.size();
        if (end < reader.next()) {
            reader.restart().forEach(line -> append(lines, line));
            passed = 0;
        }
        boolean more = true;
        while (more && lines.length() < ENOUGH) {
            more = read(end, lines);
        }
        return lines;
    }

    private boolean read(long end, Buffer lines) throws IOException {
        return reader.read(end, line -> append(lines, line));
    }

    private void append(Buffer lines, SaidLine line) {
        if (passed > 0) {
            passed--;
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

    /** A last line that has no end is told, too. */
    @Override
    public Future<Void> end() {
        Buffer last = Buffer.buffer();
        if (reader != null) {
            reader.finish().forEach(line -> append(last, line));
        }
        return write(last).compose(written -> finished() ? Future.succeededFuture() : response.end());
    }
}
