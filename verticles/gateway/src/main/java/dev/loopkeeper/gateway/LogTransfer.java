package dev.loopkeeper.gateway;

import dev.loopkeeper.gateway.http.ClientGone;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Bytes on their way from a log to a client, no faster than the client reads: one piece of memory, which is filled
 * again when what it holds is written. It is given back at the {@link #end}, or when the log cannot be read.
 */
final class LogTransfer implements LogStream {
    private static final int CHUNK = 128 * 1024;

    private final Vertx vertx;
    private final HttpServerResponse response;
    private final StepLog log;
    private final Promise<Void> closed = Promise.promise();
    private Optional<LogSource.Reader> reader = Optional.empty();
    private ByteBuf memory = Unpooled.EMPTY_BUFFER;
    private Future<Void> sending = Future.succeededFuture();
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
        Promise<Void> done = Promise.promise();
        sending = done.future().onFailure(unreadable -> release());
        next(done);
        return done.future();
    }

    private void next(Promise<Void> done) {
        if (finished()) {
            done.complete();
        } else {
            vertx.executeBlocking(this::fill, false).onComplete(next -> send(next, done), done::fail);
        }
    }

    /** On a worker, while nobody else has the memory. */
    private long fill() throws IOException {
        if (reader.isEmpty()) {
            reader = log.open();
        }
        if (reader.isEmpty()) {
            return offset;
        }
        if (memory.capacity() == 0) {
            memory = Unpooled.directBuffer(CHUNK, CHUNK);
        }
        ByteBuffer free = memory.nioBuffer(0, CHUNK).limit((int) Math.min(CHUNK, left));
        long next = reader.get().read(offset, free);
        if (free.position() == 0 && log.size() < offset) { // the agent has truncated its log
            offset = 0;
            next = reader.get().read(offset, free);
        }
        memory.setIndex(0, free.position());
        return next;
    }

    private void send(long next, Promise<Void> done) {
        if (!memory.isReadable() || next == offset || response.closed()) {
            done.complete();
            return;
        }
        left -= Math.min(left, next - offset);
        offset = next;
        // Written when it has left for the client; until then the memory is not ours.
        response.write(BufferInternal.buffer(memory)).onComplete(written -> next(done), gone -> {
            ClientGone.note(gone);
            done.complete();
        });
    }

    @Override
    public boolean finished() {
        return left <= 0 || response.closed();
    }

    @Override
    public Future<Void> closed() {
        return closed.future();
    }

    /** Ends the answer; what was needed for it is given back as soon as nobody uses it. */
    @Override
    public Future<Void> end() {
        sending.onComplete(over -> release());
        return response.closed() ? Future.succeededFuture() : response.end();
    }

    private void release() {
        ByteBuf free = memory;
        memory = Unpooled.EMPTY_BUFFER;
        free.release();
        Optional<LogSource.Reader> open = reader;
        reader = Optional.empty();
        open.ifPresent(file -> vertx.executeBlocking(
                        () -> {
                            file.close();
                            return null;
                        },
                        false)
                .onFailure(ClientGone::note));
    }
}
