package dev.loopkeeper.gateway;

import dev.loopkeeper.agent.SaidLine;
import dev.loopkeeper.gateway.http.Body;
import dev.loopkeeper.json.Json;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.util.concurrent.Callable;

/** Sends lines of a log, one JSON object per line. */
final class LinesTransfer extends LogStream {
    private final Callable<ReadableLog.Start> opening;
    private LogLines reader;
    private long skipped;
    private long offset;

    /** @param opening returns where to begin; blocks */
    LinesTransfer(Vertx vertx, HttpServerRequest request, StepLog log, Callable<ReadableLog.Start> opening) {
        super(vertx, request, log, "application/x-ndjson");
        this.opening = opening;
    }

    @Override
    long offset() {
        return offset;
    }

    @Override
    Future<Body.Piece> piece() {
        return onWorker(this::some).map(lines -> {
            boolean last = reader.next() == offset && lines.length() == 0;
            offset = reader.next();
            return new Body.Piece(lines, last);
        });
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

    /** Also sends an unterminated last line. */
    @Override
    Future<Void> end() {
        Buffer last = Buffer.buffer();
        if (reader != null) {
            reader.finish().forEach(line -> append(last, line));
        }
        return finished() ? Future.succeededFuture() : response.end(last);
    }
}
