package dev.loopkeeper.gateway.feed;

import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.gateway.http.Connections;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.ProblemJson;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/** A client of server-sent events. The cursor is the event id, with which browsers reconnect automatically. */
public final class EventStreamSink implements FeedSink {
    private final Vertx vertx;
    private final HttpServerResponse response;
    private final HttpConnection connection;
    private final FeedOptions options;
    private boolean stuck;

    public EventStreamSink(Vertx vertx, HttpServerResponse response, HttpConnection connection, FeedOptions options) {
        this.vertx = vertx;
        this.response = response;
        this.connection = connection;
        this.options = options;
        response.setChunked(true)
                .setWriteQueueMaxSize(options.writeQueueBytes())
                .exceptionHandler(ClientGone::note)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    }

    @Override
    public boolean full() {
        return response.closed() || response.writeQueueFull();
    }

    @Override
    public void whenDrained(Runnable again) {
        if (!response.closed()) {
            response.drainHandler(drained -> {
                stuck = false;
                again.run();
            });
        }
    }

    @Override
    public void send(String type, String cursor, String text) {
        write("event: " + type + "\nid: " + cursor + "\ndata: " + text + "\n\n");
    }

    /** Comments have no answer, so a queue that stays full from one ping to the next means that the client is gone. */
    @Override
    public boolean ping() {
        boolean full = full();
        boolean alive = !(full && stuck);
        stuck = full;
        if (!full) {
            write(": ping\n\n");
        }
        return alive;
    }

    private void write(String text) {
        response.write(text).onFailure(ClientGone::note);
    }

    /** A browser would reconnect with the same cursor; an error status prevents that. */
    @Override
    public Future<Void> close(CloseReason reason) {
        if (reason == CloseReason.CURSOR_AHEAD && !response.headWritten()) {
            return ProblemJson.end(response.setChunked(false), Problem.invalid(reason.text()));
        }
        long cutting = vertx.setTimer(reason.grace(options).toMillis(), timeout -> cut());
        return response.end(": " + reason.text() + "\n\n").onComplete(ended -> vertx.cancelTimer(cutting));
    }

    @Override
    public void cut() {
        Connections.cut(connection);
    }
}
