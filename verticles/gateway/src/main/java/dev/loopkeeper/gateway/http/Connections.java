package dev.loopkeeper.gateway.http;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.Utf8FrameValidator;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.function.IntConsumer;

/**
 * What Vert.x has no public call for. Ends connections for good: a close of Vert.x first writes what waits, which never
 * ends when the peer does not read. Writes together what is written in one turn of the event loop. And hears of what is no
 * frame of a WebSocket, where Vert.x would hang up without a word, and lets a client read why it is closed.
 */
public final class Connections {
    private static final String TOGETHER = "loopkeeper-together";
    private static final String LINGERING = "loopkeeper-lingering";
    private static final String TEXTS = "loopkeeper-texts";
    private static final String BAD_FRAMES = "loopkeeper-bad-frames";
    /** What a client may take to read why it is closed. */
    static final long LINGER_MILLIS = 2000;

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

    /**
     * What is wrong with the frames of this WebSocket, or with the UTF-8 of its texts, is told instead of hung up on; after
     * what is no frame nothing is read any more.
     *
     * @param heard takes the code of RFC 6455, section 7.4, that says what
     */
    public static void hearBadFrames(HttpConnection connection, IntConsumer heard) {
        if (connection instanceof ConnectionBase base && base.channel().isActive()) {
            ChannelHandlerContext last = base.channelHandlerContext();
            last.pipeline()
                    .addBefore(last.name(), TEXTS, new Utf8FrameValidator(false))
                    .addBefore(last.name(), BAD_FRAMES, new BadFrames(heard));
        }
    }

    /**
     * The next close only says that no more is sent, and throws away what still comes for a while: what is unread when a
     * connection ends takes the last words of it away from its client.
     */
    public static void linger(HttpConnection connection) {
        if (connection instanceof ConnectionBase base && base.channel() instanceof DuplexChannel channel) {
            ChannelPipeline pipeline = base.channelHandlerContext().pipeline();
            if (channel.isActive() && pipeline.get(LINGERING) == null) {
                pipeline.addFirst(LINGERING, new Lingering(channel));
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

    private static final class Lingering extends ChannelDuplexHandler {
        private final DuplexChannel channel;
        private boolean begun;

        private Lingering(DuplexChannel channel) {
            this.channel = channel;
        }

        @Override
        public void close(ChannelHandlerContext context, ChannelPromise closed) {
            if (begun) {
                end(context, closed);
                return;
            }
            begun = true;
            channel.shutdownOutput().addListener(said -> ClientGone.note(said.cause()));
            Future<?> end = context.executor().schedule(() -> end(context, closed), LINGER_MILLIS, MILLISECONDS);
            channel.closeFuture().addListener(over -> {
                end.cancel(false);
                closed.trySuccess(); // Where the client has ended it.
            });
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object read) {
            if (begun) {
                ReferenceCountUtil.release(read);
            } else {
                context.fireChannelRead(read);
            }
        }

        private static void end(ChannelHandlerContext context, ChannelPromise closed) {
            context.close(closed).addListener(over -> ClientGone.note(over.cause()));
        }
    }

    private static final class BadFrames extends ChannelInboundHandlerAdapter {
        private final IntConsumer heard;

        private BadFrames(IntConsumer heard) {
            this.heard = heard;
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (cause instanceof CorruptedWebSocketFrameException bad) {
                heard.accept(bad.closeStatus().code());
            } else {
                context.fireExceptionCaught(cause);
            }
        }
    }
}
