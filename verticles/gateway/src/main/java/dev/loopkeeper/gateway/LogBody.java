package dev.loopkeeper.gateway;

import dev.loopkeeper.gateway.feed.LiveEvents;
import dev.loopkeeper.gateway.http.Body;
import dev.loopkeeper.store.PositionedEvent;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * The body of an answer with a log, sent no faster than the client reads. It ends with what the log has at the moment;
 * that of a followed log ends with the step, or when the client disconnects.
 */
final class LogBody {
    /** Pauses at the end of a log that grew since the last read, and of one that did not. */
    private static final long POLL_MILLIS = 50;

    private static final long QUIET_POLL_MILLIS = 250;
    private static final long CHECK_MILLIS = 5_000;
    private static final Set<String> ENDING_EVENTS = Set.of("step.finished", "run.paused", "run.ended");

    private final Vertx vertx;
    private final HttpServerRequest request;
    private final Callable<LogForm> opening;
    private LogForm form;
    private boolean ended = true;
    private Runnable checks = () -> {};
    private long pauseMillis;
    private Promise<Void> pause = Promise.promise();

    /** @param opening opens the log; blocks */
    LogBody(Vertx vertx, HttpServerRequest request, Callable<LogForm> opening) {
        this.vertx = vertx;
        this.request = request;
        this.opening = opening;
    }

    /** Sends what the log has. */
    Future<Void> send(String type) {
        return new Body(vertx, request, this::piece)
                .send(response -> response.putHeader(HttpHeaders.CONTENT_TYPE, type)
                        .putHeader("X-Content-Type-Options", "nosniff")
                        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store"));
    }

    /**
     * Sends what the log has, and then what it gets.
     *
     * @param open whether the log may still grow; fails if that is unknown
     */
    Future<Void> follow(String type, Supplier<Future<Boolean>> open, LiveEvents events, String runId) {
        ended = false;
        Runnable unregister = events.listen(runId, event -> received(event, open));
        long timer = vertx.setPeriodic(CHECK_MILLIS, tick -> check(open));
        checks = () -> {
            unregister.run();
            vertx.cancelTimer(timer);
        };
        request.response().closeHandler(gone -> end());
        check(open);
        return send(type).onComplete(sent -> end());
    }

    private void received(PositionedEvent event, Supplier<Future<Boolean>> open) {
        if (ENDING_EVENTS.contains(event.event().type())) {
            check(open);
        }
    }

    /** A scheduler that does not answer ends the stream; the client reconnects with its offset. */
    private void check(Supplier<Future<Boolean>> open) {
        open.get()
                .onComplete(
                        still -> {
                            if (!still) {
                                end();
                            }
                        },
                        unanswered -> end());
    }

    private void end() {
        ended = true;
        checks.run();
        pause.tryComplete();
    }

    /** Makes the next piece; the last one when the step has ended before it is read. */
    Future<Body.Piece> piece() {
        return paused().compose(over -> {
            boolean last = ended;
            return vertx.executeBlocking(() -> read(last), false);
        });
    }

    private Future<Void> paused() {
        if (pauseMillis == 0 || ended) {
            return Future.succeededFuture();
        }
        Promise<Void> over = Promise.promise();
        pause = over;
        vertx.setTimer(pauseMillis, tick -> over.tryComplete());
        return over.future();
    }

    private Body.Piece read(boolean last) throws Exception {
        if (form == null) {
            form = opening.call();
        }
        Buffer piece = Buffer.buffer();
        boolean more = true;
        while (more && piece.length() < Body.PIECE) {
            more = form.read(piece);
        }
        if (more) {
            pauseMillis = 0;
        } else {
            pauseMillis = piece.length() > 0 ? POLL_MILLIS : QUIET_POLL_MILLIS;
        }
        boolean complete = !more && (last || form.isComplete());
        if (complete) {
            form.end(piece);
        }
        return new Body.Piece(piece, complete);
    }
}
