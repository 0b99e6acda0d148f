package dev.loopkeeper.gateway.http;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.streams.ReadStream;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The body of an answer, made piece by piece as the client takes it. So it costs two pieces of memory, however large it is and
 * however slowly the client reads. Used from one context.
 */
public final class Body implements ReadStream<Buffer> {
    /** A good size of a piece, in bytes. */
    public static final int PIECE = 128 * 1024;

    private static final Piece END = new Piece(Buffer.buffer(), true);

    private final Vertx vertx;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final Supplier<Future<Piece>> source;
    private Optional<Duration> patience = Optional.empty();
    private long cutting;
    private Optional<Piece> ready = Optional.empty();
    private Optional<Throwable> failure = Optional.empty();
    private Optional<Handler<Buffer>> handler = Optional.empty();
    private Handler<Void> endHandler = ended -> {};
    private Handler<Throwable> failureHandler = failed -> {};
    private long demand = Long.MAX_VALUE;
    private boolean making;
    private boolean over;

    /**
     * A part of the body.
     *
     * @param last whether the body is complete with it
     */
    public record Piece(Buffer bytes, boolean last) {}

    /** @param source makes the next piece each time it is called; not called again after the last one */
    public Body(Vertx vertx, HttpServerRequest request, Supplier<Future<Piece>> source) {
        this.vertx = vertx;
        this.request = request;
        this.response = request.response();
        this.source = source;
    }

    /** Cuts the connection of a client that takes longer than this for a piece. */
    public Body cutAfter(Duration slowest) {
        patience = Optional.of(slowest);
        return this;
    }

    /**
     * Sends all of it. Fails only before anything was sent; a later failure cuts the connection, so that no client takes a
     * part for the whole. Completes also when the client has gone.
     *
     * @param head sets the headers of the answer
     */
    public Future<Void> send(Handler<HttpServerResponse> head) {
        return source.get().compose(first -> {
            if (response.closed()) {
                return Future.succeededFuture();
            }
            head.handle(response.exceptionHandler(ClientGone::note));
            response.setChunked(!first.last() && !response.headers().contains("Content-Length"));
            ready = Optional.of(first);
            awaitClient();
            Future<Void> sent = first.last() || HttpMethod.HEAD.equals(request.method())
                    ? response.end(first.bytes())
                    : pipe().endOnFailure(false).to(response);
            return sent.onComplete(any -> stopWaiting()).recover(broken -> {
                ClientGone.note(broken);
                Connections.cut(request.connection());
                return Future.succeededFuture();
            });
        });
    }

    /**
     * Sends all of it and leaves the answer open for more. Fails where no piece can be made; completes also when the client has
     * gone.
     */
    public Future<Void> sendPart() {
        return pipe().endOnComplete(false).to(response).recover(broken -> {
            ClientGone.note(broken);
            return failure.isPresent() ? Future.failedFuture(failure.get()) : Future.succeededFuture();
        });
    }

    private void awaitClient() {
        stopWaiting();
        patience.ifPresent(
                slowest -> cutting = vertx.setTimer(slowest.toMillis(), late -> Connections.cut(request.connection())));
    }

    private void stopWaiting() {
        boolean unused = vertx.cancelTimer(cutting);
    }

    private void make() {
        if (ready.isPresent()) {
            deliver();
        } else if (!making && !over && handler.isPresent() && demand > 0) {
            making = true;
            stopWaiting();
            source.get().onComplete(this::made, this::failed);
        }
    }

    private void made(Piece piece) {
        making = false;
        ready = Optional.of(piece);
        awaitClient();
        deliver();
    }

    private void failed(Throwable cause) {
        over = true;
        failure = Optional.of(cause);
        failureHandler.handle(cause);
    }

    private void deliver() {
        if (handler.isEmpty() || demand == 0) {
            return;
        }
        Piece piece = ready.orElseThrow();
        ready = Optional.empty();
        demand -= demand == Long.MAX_VALUE ? 0 : 1;
        if (piece.bytes().length() > 0) {
            handler.get().handle(piece.bytes());
        }
        if (!piece.last()) {
            make();
        } else if (demand == 0) {
            ready = Optional.of(END); // only once the client has taken what it has
        } else {
            over = true;
            endHandler.handle(null);
        }
    }

    @Override
    public Body handler(Handler<Buffer> taker) {
        handler = Optional.ofNullable(taker);
        make();
        return this;
    }

    @Override
    public Body pause() {
        demand = 0;
        return this;
    }

    @Override
    public Body resume() {
        return fetch(Long.MAX_VALUE);
    }

    @Override
    public Body fetch(long amount) {
        demand = demand > Long.MAX_VALUE - amount ? Long.MAX_VALUE : demand + amount;
        make();
        return this;
    }

    @Override
    public Body endHandler(Handler<Void> ended) {
        endHandler = ended == null ? none -> {} : ended;
        return this;
    }

    @Override
    public Body exceptionHandler(Handler<Throwable> failed) {
        failureHandler = failed == null ? none -> {} : failed;
        return this;
    }
}
