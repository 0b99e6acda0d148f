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
 * A client at a WebSocket. Whatever it sends is a sign of life; the text {@code {"type":"ping"}} is answered in kind, since a
 * script in a browser receives none of the pings below it; anything else is ignored, but ends the feed where it is too big.
 */
public final class WebSocketSink implements FeedSink {
    /** In bytes, of one frame or of many. */
    public static final int LONGEST_MESSAGE = 64 * 1024;

    private static final Buffer PING = Buffer.buffer("loopkeeper");
    private static final String ASKED = "{\"type\":\"ping\"}";
    private static final String ANSWERED = "{\"type\":\"pong\"}";

    private final Vertx vertx;
    private final ServerWebSocket socket;
    private final HttpConnection connection;
    private final FeedOptions options;
    private boolean heard = true;
    private long messageBytes;
    private Consumer<CloseReason> refuse = reason -> {};

    public WebSocketSink(Vertx vertx, ServerWebSocket socket, HttpConnection connection, FeedOptions options) {
        this.vertx = vertx;
        this.socket = socket;
        this.connection = connection;
        this.options = options;
        socket.setWriteQueueMaxSize(options.writeQueueBytes())
                .frameHandler(this::hear)
                .textMessageHandler(this::answer)
                .pongHandler(pong -> heard = true)
                .exceptionHandler(ClientGone::note);
    }

    @Override
    public void whenMisused(Consumer<CloseReason> misused) {
        refuse = misused;
    }

    private void hear(WebSocketFrame frame) {
        heard = true;
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

    /** Not where much is under way already: that is sign enough, and nobody fills the memory by asking. */
    private void answer(String text) {
        if (text.equals(ASKED) && !full()) {
            socket.writeTextMessage(ANSWERED).onFailure(ClientGone::note);
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
        // Split where it must be: many clients refuse frames above 64 KiB.
        socket.writeTextMessage(text).onFailure(ClientGone::note);
    }

    @Override
    public boolean ping() {
        boolean alive = heard;
        heard = false;
        socket.writePing(PING).onFailure(ClientGone::note);
        return alive;
    }

    @Override
    public Future<Void> close(CloseReason reason) {
        long cutting = vertx.setTimer(reason.grace(options).toMillis(), late -> cut());
        return socket.close(reason.code(), reason.text()).onComplete(closed -> vertx.cancelTimer(cutting));
    }

    @Override
    public void cut() {
        Connections.cut(connection);
    }
}
