package dev.loopkeeper.gateway.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Large bodies on their way to clients who may not read them: in pieces, so that it is seen whether a client takes them. All
 * of them together hold a share of the heap and no more. Any thread.
 */
final class LargeBodies {
    /** Bytes from which on a body is large. */
    static final int LARGE = 256 * 1024;

    /** The heap is that of the process, whoever sends. */
    static final LargeBodies OF_PROCESS = new LargeBodies(Runtime.getRuntime().maxMemory() / 4, Duration.ofMinutes(1));

    private static final int PIECE = 128 * 1024;

    private final long most;
    private final Duration patience;
    private final AtomicLong held = new AtomicLong();

    /**
     * @param most bytes of all of them that are not sent yet; a larger one is sent alone
     * @param patience in which a client takes a piece, or is cut off
     */
    LargeBodies(long most, Duration patience) {
        this.most = most;
        this.patience = patience;
    }

    /** Answers with this body; false, and nothing is sent, while others hold too much. */
    boolean send(HttpServerRequest request, Buffer body) {
        if (!take(body.length())) {
            return false;
        }
        request.response()
                .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()))
                .exceptionHandler(ClientGone::note);
        next(request, body, 0);
        return true;
    }

    /** Counts so many bytes as not sent yet, until they are {@link #release released}; false where others hold too much. */
    boolean take(int bytes) {
        long all = held.addAndGet(bytes);
        boolean taken = all <= most || all <= bytes;
        if (!taken) {
            held.addAndGet(-bytes);
        }
        return taken;
    }

    /** They have left, or are not to be sent any more. */
    void release(int bytes) {
        held.addAndGet(-bytes);
    }

    private void next(HttpServerRequest request, Buffer body, int from) {
        HttpServerResponse response = request.response();
        int to = Math.min(from + PIECE, body.length());
        boolean last = to == body.length();
        if (response.closed()) {
            held.addAndGet(-body.length());
            return;
        }
        Buffer piece = body.slice(from, to);
        Future<Void> left = last ? response.end(piece) : response.write(piece);
        left.timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .onComplete(
                        written -> {
                            if (last) {
                                held.addAndGet(-body.length());
                            } else {
                                next(request, body, to);
                            }
                        },
                        slow -> {
                            ClientGone.note(slow);
                            held.addAndGet(-body.length());
                            Connections.cut(request.connection());
                        });
    }
}
