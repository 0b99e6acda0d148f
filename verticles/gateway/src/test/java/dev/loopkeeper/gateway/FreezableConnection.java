package dev.loopkeeper.gateway;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** A line between a browser and a server that goes silent as that of a laptop does which slept, or of a server that hangs. */
final class FreezableConnection implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final NetServer entry = vertx.createNetServer();
    private final NetClient client = vertx.createNetClient();
    private final Set<NetSocket> open = ConcurrentHashMap.newKeySet();
    private final Set<NetSocket> dead = ConcurrentHashMap.newKeySet();
    private volatile boolean silent;
    private volatile UnaryOperator<String> up = UnaryOperator.identity();
    private volatile UnaryOperator<String> down = UnaryOperator.identity();

    /** To the server at this port of this machine. */
    FreezableConnection(int port) {
        entry.connectHandler(caller -> accept(caller, port));
        GatewayFixture.soon(entry.listen(0, "127.0.0.1"));
    }

    String url() {
        return "http://127.0.0.1:" + entry.actualPort();
    }

    private void accept(NetSocket caller, int port) {
        open.add(caller);
        if (silent) {
            dead.add(caller);
        }
        caller.pause();
        client.connect(port, "127.0.0.1")
                .onSuccess(server -> join(caller, server))
                .onFailure(gone -> end(caller));
    }

    private void join(NetSocket caller, NetSocket server) {
        open.add(server);
        pass(caller, server, caller, true);
        pass(server, caller, caller, false);
        caller.resume();
    }

    private void pass(NetSocket from, NetSocket to, NetSocket name, boolean upwards) {
        from.handler(part -> {
            if (!dead.contains(name)) {
                to.write(changed(part, upwards ? up : down)).onFailure(gone -> end(from));
            }
        });
        from.closeHandler(gone -> {
            open.remove(from);
            if (!dead.contains(name)) {
                end(to);
            }
        });
    }

    private static Buffer changed(Buffer part, UnaryOperator<String> change) {
        return Buffer.buffer(
                change.apply(part.toString(StandardCharsets.ISO_8859_1)).getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Nothing passes on what is open now, and no client is notified; new connections pass. */
    void half() {
        dead.addAll(open);
    }

    /** Nothing passes at all, and no client is notified. */
    void silence() {
        silent = true;
        half();
    }

    /** New connections pass again. */
    void speak() {
        silent = false;
    }

    /** Texts of the same length, from here on. */
    void change(UnaryOperator<String> asked, UnaryOperator<String> answered) {
        up = asked;
        down = answered;
    }

    /** Ends all connections. */
    void cut() {
        open.forEach(this::end);
    }

    private void end(NetSocket socket) {
        // It may have exited on its own.
        socket.close().onComplete(gone -> open.remove(socket));
    }

    @Override
    public void close() {
        GatewayFixture.soon(vertx.close());
    }
}
