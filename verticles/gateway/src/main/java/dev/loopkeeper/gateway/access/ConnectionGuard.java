package dev.loopkeeper.gateway.access;

import dev.loopkeeper.gateway.http.Connections;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.termination.RefusalCode;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.ext.web.RoutingContext;
import java.util.HashMap;
import java.util.Map;

/**
 * Limits connections. It cuts those beyond the maximum, idle ones, and those that send the head or body of a request
 * too slowly. The time to answer a request is not limited here. Used from one context only.
 */
public final class ConnectionGuard {
    private static final long NO_TIMER = -1;

    private final Vertx vertx;
    private final GatewayLimits limits;
    private final Map<HttpConnection, Watch> watches = new HashMap<>();

    private static final class Watch {
        private long timer = NO_TIMER;
        private int requests;
    }

    public ConnectionGuard(Vertx vertx, GatewayLimits limits) {
        this.vertx = vertx;
        this.limits = limits;
    }

    public int connections() {
        return watches.size();
    }

    /** Called when a client has connected. */
    public void opened(HttpConnection connection) {
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

    /** Called when the head of a request is complete. Install as one of the first handlers. */
    public void begin(RoutingContext context) {
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
     * Stops timers for a connection that became a WebSocket. Run the result when the socket closes, since the
     * connection's own close handler is not called then.
     */
    public Runnable release(HttpConnection connection) {
        Watch watch = watches.get(connection);
        if (watch != null) {
            watch.requests++;
            rest(watch);
        }
        return () -> watches.remove(connection);
    }

    /** Limits the time until the body is complete. */
    public void awaitBody(RoutingContext context) {
        long timer = vertx.setTimer(limits.headTime().toMillis(), timeout -> {
            if (!context.request().isEnded()) {
                context.fail(
                        new Problem(RefusalCode.REQUEST_TIMEOUT, "the body did not arrive in time; send it again"));
            }
        });
        context.addEndHandler(answered -> vertx.cancelTimer(timer));
        context.next();
    }

    private void cutAfter(long millis, HttpConnection connection, Watch watch) {
        watch.timer = vertx.setTimer(millis, timeout -> Connections.cut(connection));
    }

    private void rest(Watch watch) {
        vertx.cancelTimer(watch.timer);
        watch.timer = NO_TIMER;
    }
}
