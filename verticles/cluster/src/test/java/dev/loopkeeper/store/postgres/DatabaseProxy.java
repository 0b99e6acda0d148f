package dev.loopkeeper.store.postgres;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands before the database: cuts connections, loses answers, accepts no client. */
public final class DatabaseProxy {
    private final NetServer server;
    private final NetClient client;
    private final Set<NetSocket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean down;
    private volatile Optional<String> lost = Optional.empty();
    private volatile boolean silent;
    private final AtomicInteger refused = new AtomicInteger();
    private int port;

    private DatabaseProxy(Vertx vertx) {
        this.server = vertx.createNetServer();
        this.client = vertx.createNetClient();
    }

    public static Future<DatabaseProxy> before(Vertx vertx, int databasePort) {
        DatabaseProxy proxy = new DatabaseProxy(vertx);
        proxy.server.connectHandler(socket -> proxy.accept(socket, databasePort));
        return proxy.server.listen(0, "127.0.0.1").map(listening -> {
            proxy.port = listening.actualPort();
            return proxy;
        });
    }

    public int port() {
        return port;
    }

    /** How many connections it has not let in. */
    public int refused() {
        return refused.get();
    }

    private void accept(NetSocket caller, int databasePort) {
        if (down) {
            refused.incrementAndGet();
            end(caller);
            return;
        }
        sockets.add(caller);
        caller.pause();
        client.connect(databasePort, "127.0.0.1")
                .onSuccess(database -> join(caller, database))
                .onFailure(refused -> end(caller));
    }

    private void join(NetSocket caller, NetSocket database) {
        sockets.add(database);
        AtomicBoolean received = new AtomicBoolean();
        caller.handler(asked -> {
            lost.filter(asked.toString(StandardCharsets.ISO_8859_1)::contains).ifPresent(text -> received.set(true));
            database.write(asked).onFailure(gone -> end(caller));
        });
        database.handler(answer -> {
            if (received.get()) {
                cut();
            } else if (!silent) {
                caller.write(answer).onFailure(gone -> end(database));
            }
        });
        caller.closeHandler(gone -> end(database));
        database.closeHandler(gone -> end(caller));
        caller.resume();
    }

    private void end(NetSocket socket) {
        sockets.remove(socket);
        // It may have exited on its own.
        socket.close().onFailure(gone -> sockets.remove(socket));
    }

    /** Ends every connection; new ones are let in. */
    public void cut() {
        sockets.forEach(this::end);
    }

    /** Ends every connection and accepts no client. */
    public void down() {
        down = true;
        cut();
    }

    /**
     * Everything that is asked arrives, but the answer to what holds this text ends all connections, and no client is let in.
     * Other connections may be notified of something at any moment, of what was written last for example.
     */
    void loseAnswerTo(String text) {
        lost = Optional.of(text);
        down = true;
    }

    /** Nothing comes back any more, and no client is notified. */
    void blackHole() {
        silent = true;
    }

    public void up() {
        silent = false;
        lost = Optional.empty();
        down = false;
    }
}
