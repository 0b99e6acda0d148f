package dev.loopkeeper.gateway.http;

import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Ends connections for good. A close of Vert.x first writes what waits, which never ends when the peer does not read;
 * there is no public call that does not.
 */
public final class Connections {
    private Connections() {}

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
