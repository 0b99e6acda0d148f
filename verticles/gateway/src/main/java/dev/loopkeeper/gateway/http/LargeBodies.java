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

/**
 * Large bodies on their way to clients who may not read them: in pieces, so that it is seen whether a client takes them. All
 * of them together hold a share of the heap and no more. Any thread.
 */
public final class LargeBodies {
    /** Bytes from which on a body is large. */
    static final int LARGE = 256 * 1024;

    /** The heap is that of the process, whoever sends. */
    public static final LargeBodies OF_PROCESS =
            new LargeBodies(Runtime.getRuntime().maxMemory() / 4, Duration.ofMinutes(1));

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
                .onComplete(over -> release(body.length()))
                .onFailure(ClientGone::note);
        return true;
    }

    /**
     * Answers with a JSON document that is made in pieces; fails with a {@link Problem} while others hold too much. As {@link Body#send}.
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
                .onComplete(over -> release(taken.getAndSet(0)));
    }

    /** Counts so many bytes as not sent yet, until they are {@link #release released}; false where others hold too much. */
    private boolean take(int bytes) {
        long all = held.addAndGet(bytes);
        boolean taken = all <= most || all <= bytes;
        if (!taken) {
            held.addAndGet(-bytes);
        }
        return taken;
    }

    /** They have left, or are not to be sent any more. */
    private void release(int bytes) {
        held.addAndGet(-bytes);
    }
}
