package dev.loopkeeper.gateway.http;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Sends large bodies in pieces and limits how much heap all of them hold while clients read. Any thread. */
public final class LargeBodies {
    /** Size in bytes from which a body is large. */
    static final int LARGE = 256 * 1024;

    /** One instance for the process, because all servers share its heap. */
    public static final LargeBodies OF_PROCESS =
            new LargeBodies(Runtime.getRuntime().maxMemory() / 4, Duration.ofMinutes(1));

    private final long most;
    private final Duration patience;
    private final AtomicLong held = new AtomicLong();

    /**
     * @param most limit of unsent bytes of all bodies; a larger body is sent if it is alone
     * @param patience time for a client to read a piece before its connection is cut
     */
    LargeBodies(long most, Duration patience) {
        this.most = most;
        this.patience = patience;
    }

    /** Sends this body. Returns false, and sends nothing, if other bodies hold too much. */
    boolean send(Vertx vertx, HttpServerRequest request, Buffer body) {
        if (!take(body.length())) {
            return false;
        }
        int[] from = {0};
        new Body(vertx, request, () -> {
                    int begin = from[0];
                    from[0] = Math.min(begin + Body.PIECE, body.length());
                    return Future.succeededFuture(new Body.Piece(body.slice(begin, from[0]), from[0] == body.length()));
                })
                .cutAfter(patience)
                .send(response -> response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length())))
                .onComplete(sent -> release(body.length()))
                .onFailure(ClientGone::note);
        return true;
    }

    /**
     * Sends a JSON document in pieces, like {@link Body#send}. Fails with a {@link Problem} if other bodies hold too
     * much.
     */
    public Future<Void> sendJson(Vertx vertx, HttpServerRequest request, Supplier<Future<Body.Piece>> source) {
        AtomicInteger taken = new AtomicInteger();
        return new Body(vertx, request, () -> {
                    release(taken.getAndSet(0));
                    return source.get().compose(piece -> {
                        if (!take(piece.bytes().length())) {
                            return Future.failedFuture(Problem.tooManyAnswers());
                        }
                        taken.set(piece.bytes().length());
                        return Future.succeededFuture(piece);
                    });
                })
                .cutAfter(patience)
                .send(response -> response.putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store"))
                .onComplete(sent -> release(taken.getAndSet(0)));
    }

    /** Reserves bytes until they are {@link #release released}. Returns false if other bodies hold too much. */
    private boolean take(int bytes) {
        long all = held.addAndGet(bytes);
        boolean taken = all <= most || all <= bytes;
        if (!taken) {
            held.addAndGet(-bytes);
        }
        return taken;
    }

    /** Releases bytes that were sent or are no longer needed. */
    private void release(int bytes) {
        held.addAndGet(-bytes);
    }
}
