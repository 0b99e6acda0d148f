package dev.loopkeeper.gateway.feed;

import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.gateway.http.Connections;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;
import java.util.function.Consumer;

/**
 * A WebSocket client. Any frame is a sign of life. The text {@code {"type":"ping"}} is answered with a pong, because
 * scripts in browsers do not see ping frames. Other messages are ignored, but one that is too large ends the feed.
 */
public final class WebSocketSink implements FeedSink {
    /** In bytes over all frames of a message. */
    public static final int LONGEST_MESSAGE = 64 * 1024;

    private static final Buffer PING = Buffer.buffer("loopkeeper");
    private static final String PING_MESSAGE = "{\"type\":\"ping\"}";
    private static final String PONG_MESSAGE = "{\"type\":\"pong\"}";

    private final Vertx vertx;
    private final ServerWebSocket socket;
    private final HttpConnection connection;
    private final FeedOptions options;
    private boolean responsive = true;
    private long messageBytes;
    private Consumer<CloseReason> refuse = reason -> {};

    public WebSocketSink(Vertx vertx, ServerWebSocket socket, HttpConnection connection, FeedOptions options) {
        this.vertx = vertx;
        this.socket = socket;
        this.connection = connection;
        this.options = options;
        socket.setWriteQueueMaxSize(options.writeQueueBytes())
                .frameHandler(this::frameReceived)
                .textMessageHandler(this::answer)
                .pongHandler(pong -> responsive = true)
                .exceptionHandler(ClientGone::note);
    }

    @Override
    public void whenMisused(Consumer<CloseReason> misused) {
        refuse = misused;
    }

    private void frameReceived(WebSocketFrame frame) {
        responsive = true;
        if (frame.isText() || frame.isBinary() || frame.isContinuation()) {
            messageBytes += frame.binaryData().length();
            if (messageBytes > LONGEST_MESSAGE) {
                refuse.accept(CloseReason.TOO_BIG);
            }
            if (frame.isFinal()) {
                messageBytes = 0;
            }
        }
    }

    /** Sends no answer while the sink is full, so that pings cannot fill the memory. */
    private void answer(String text) {
        if (text.equals(PING_MESSAGE) && !full()) {
            socket.writeTextMessage(PONG_MESSAGE).onFailure(ClientGone::note);
        }
    }

    @Override
    public boolean full() {
        return socket.isClosed() || socket.writeQueueFull();
    }

    @Override
    public void whenDrained(Runnable again) {
        if (!socket.isClosed()) {
            socket.drainHandler(drained -> again.run());
        }
    }

    @Override
    public void send(String type, String cursor, String text) {
        // Vert.x splits large messages: many clients refuse frames above 64 KiB.
        socket.writeTextMessage(text).onFailure(ClientGone::note);
    }

    @Override
    public boolean ping() {
        boolean alive = responsive;
        responsive = false;
        socket.writePing(PING).onFailure(ClientGone::note);
        return alive;
    }

    @Override
    public Future<Void> close(CloseReason reason) {
        long cutting = vertx.setTimer(reason.grace(options).toMillis(), timeout -> cut());
        return socket.close(reason.code(), reason.text()).onComplete(closed -> vertx.cancelTimer(cutting));
    }

    @Override
    public void cut() {
        Connections.cut(connection);
    }
}
