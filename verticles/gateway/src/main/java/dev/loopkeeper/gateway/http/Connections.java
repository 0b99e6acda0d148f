package dev.loopkeeper.gateway.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Connection operations without a public Vert.x API: closing without flushing, since a flush never ends if the peer
 * does not read, and batching writes.
 */
public final class Connections {
    private static final String BATCHING = "loopkeeper-together";
    /** Flushes after this many messages at the latest. */
    private static final int MAX_BATCH = 256;

    private Connections() {}

    /** Sends all messages of one event-loop task with one system call. Call on the event loop. */
    public static void batchWrites(HttpConnection connection) {
        if (connection instanceof ConnectionBase base) {
            ChannelPipeline pipeline = base.channelHandlerContext().pipeline();
            if (base.channel().isActive() && pipeline.get(BATCHING) == null) {
                pipeline.addFirst(BATCHING, new FlushConsolidationHandler(MAX_BATCH, true));
            }
        }
    }

    public static void cut(HttpConnection connection) {
        if (connection instanceof ConnectionBase base) {
            // Skips handlers that would start a closing handshake. A closed connection has no handlers.
            ChannelHandlerContext first =
                    base.channelHandlerContext().pipeline().firstContext();
            if (first != null) {
                first.close().addListener(closed -> ClientGone.note(closed.cause()));
            }
        } else {
            connection.close().onFailure(ClientGone::note);
        }
    }
}
