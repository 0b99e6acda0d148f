package dev.loopkeeper.gateway;

import dev.loopkeeper.gateway.http.ClientGone;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * An open file on its way to a client, one part at a time: the next one is read when the client has taken the one before. It
 * is closed in the end, however that comes about.
 */
final class FileTransfer {
    private static final int CHUNK = 128 * 1024;
    /** In which a client takes a part, or is given up. */
    private static final Duration SLOWEST = Duration.ofMinutes(1);

    private final Vertx vertx;
    private final HttpServerResponse response;
    private final FileChannel file;
    private long offset;
    private long size;

    FileTransfer(Vertx vertx, HttpServerResponse response, FileChannel file) {
        this.vertx = vertx;
        this.response = response;
        this.file = file;
    }

    /** Fails where the client does not get all of it, which it sees by the length that it is told. */
    Future<Void> send(String type, String name) {
        Promise<Void> sent = Promise.promise();
        vertx.executeBlocking(file::size, false)
                .onComplete(
                        length -> {
                            size = length;
                            response.putHeader(HttpHeaders.CONTENT_TYPE, type)
                                    .putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(size))
                                    .putHeader("X-Content-Type-Options", "nosniff")
                                    .putHeader("Content-Disposition", "attachment; filename=\"" + name + "\"")
                                    .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                                    .exceptionHandler(ClientGone::note);
                            next(sent);
                        },
                        sent::fail);
        return sent.future().eventually(this::close);
    }

    private void next(Promise<Void> sent) {
        if (response.closed()) {
            sent.fail(new ClientGone());
        } else if (offset >= size) {
            response.end().onComplete(ended -> sent.complete(), gone -> sent.fail(new ClientGone()));
        } else {
            vertx.executeBlocking(this::part, false).onComplete(bytes -> write(bytes, sent), sent::fail);
        }
    }

    private byte[] part() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(CHUNK, size - offset));
        while (bytes.hasRemaining()) {
            if (file.read(bytes, offset + bytes.position()) < 0) {
                throw new EOFException("the file became shorter");
            }
        }
        return bytes.array();
    }

    private void write(byte[] bytes, Promise<Void> sent) {
        offset += bytes.length;
        // Written when it has left for the client.
        response.write(Buffer.buffer(bytes))
                .timeout(SLOWEST.toMillis(), TimeUnit.MILLISECONDS)
                .onComplete(written -> next(sent), slow -> {
                    ClientGone.note(slow);
                    response.reset().onFailure(ClientGone::note);
                    sent.fail(new ClientGone());
                });
    }

    private Future<Void> close() {
        return vertx.executeBlocking(
                () -> {
                    file.close();
                    return null;
                },
                false);
    }
}
