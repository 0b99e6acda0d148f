package dev.loopkeeper.gateway;

import dev.loopkeeper.gateway.http.Connections;
import dev.loopkeeper.gateway.http.Problem;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.ext.web.RoutingContext;
import java.util.HashMap;
import java.util.Map;

/**
 * Keeps connections few and busy: too many are cut at once, and so is one that takes too long over the head or the
 * body of a request, however steadily it drips. While a request is being answered the time is the server's own. Used
 * from one context only.
 */
final class ConnectionGuard {
    private static final long NO_TIMER = -1;

    private final Vertx vertx;
    private final GatewayLimits limits;
    private final Map<HttpConnection, Watch> watches = new HashMap<>();

    private static final class Watch {
        private long timer = NO_TIMER;
        private int requests;
    }

    ConnectionGuard(Vertx vertx, GatewayLimits limits) {
        this.vertx = vertx;
        this.limits = limits;
    }

    int connections() {
        return watches.size();
    }

    /** A client has connected. */
    void opened(HttpConnection connection) {
        if (watches.size() >= limits.maxConnections()) {
            Connections.cut(connection);
            return;
        }
        Watch watch = new Watch();
        watches.put(connection, watch);
        cutAfter(limits.headTime().toMillis(), connection, watch);
        connection.closeHandler(closed -> {
            watches.remove(connection);
            rest(watch);
        });
    }

    /** The head of a request is there; first of all handlers. */
    void begin(RoutingContext context) {
        HttpConnection connection = context.request().connection();
        Watch watch = watches.get(connection);
        if (watch != null) {
            watch.requests++;
            rest(watch);
            context.addEndHandler(answered -> end(connection, watch));
        }
        context.next();
    }

    private void end(HttpConnection connection, Watch watch) {
        watch.requests--;
        if (watch.requests == 0 && watches.containsKey(connection)) {
            rest(watch);
            cutAfter(limits.idleTime().toMillis(), connection, watch);
        }
    }

    /**
     * It has become a WebSocket, which looks after its own life: no timer cuts it. The answer is to be run when the
     * socket closes, since the connection itself does not tell any more.
     */
    Runnable release(HttpConnection connection) {
        Watch watch = watches.get(connection);
        if (watch != null) {
            watch.requests++;
            rest(watch);
        }
        return () -> watches.remove(connection);
    }

    /** Before the body is read: it must be there in time. */
    void awaitBody(RoutingContext context) {
        long timer = vertx.setTimer(limits.headTime().toMillis(), late -> {
            if (!context.request().isEnded()) {
                context.fail(new Problem(408, "request-timeout", "the body did not come in time; send it again"));
            }
        });
        context.addEndHandler(answered -> vertx.cancelTimer(timer));
        context.next();
    }

    private void cutAfter(long millis, HttpConnection connection, Watch watch) {
        watch.timer = vertx.setTimer(millis, late -> Connections.cut(connection));
    }

    private void rest(Watch watch) {
        vertx.cancelTimer(watch.timer);
        watch.timer = NO_TIMER;
    }
}
