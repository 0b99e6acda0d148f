package dev.loopkeeper.gateway.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * What Vert.x has no public call for. Ends connections for good: a close of Vert.x first writes what waits, which never
 * ends when the peer does not read. And writes together what is written in one turn of the event loop.
 */
public final class Connections {
    private static final String TOGETHER = "loopkeeper-together";
    /** So many messages are not kept back any longer. */
    private static final int MOST_TOGETHER = 256;

    private Connections() {}

    /** From now on messages of one turn of the event loop cost one system call, not one each. On the event loop. */
    public static void writeTogether(HttpConnection connection) {
        if (connection instanceof ConnectionBase base) {
            ChannelPipeline pipeline = base.channelHandlerContext().pipeline();
            if (base.channel().isActive() && pipeline.get(TOGETHER) == null) {
                pipeline.addFirst(TOGETHER, new FlushConsolidationHandler(MOST_TOGETHER, true));
            }
        }
    }

    public static void cut(HttpConnection connection) {
        if (connection instanceof ConnectionBase base) {
            // From the first handler on: the others would begin a farewell. One that is closed has none any more.
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
