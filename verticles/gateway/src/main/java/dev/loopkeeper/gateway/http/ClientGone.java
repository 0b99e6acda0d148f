package dev.loopkeeper.gateway.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.ext.web.RoutingContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The client disconnected before it got its answer; logged at debug level only. */
public final class ClientGone extends RuntimeException {
    private static final Logger LOG = LoggerFactory.getLogger(ClientGone.class);

    public ClientGone() {
        super("the client has disconnected", null, false, false);
    }

    /** Completes when the client of this request disconnects before its answer is sent. */
    public static Future<Void> of(RoutingContext context) {
        Promise<Void> left = Promise.promise();
        context.response().closeHandler(closed -> left.tryComplete());
        return left.future();
    }

    public static void note(Throwable cause) {
        LOG.debug("a client has disconnected", cause);
    }
}
