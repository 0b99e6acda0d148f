package dev.loopkeeper.gateway.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.ext.web.RoutingContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A client that has left before it was answered: nothing can be done, nobody needs to know. */
public final class ClientGone extends RuntimeException {
    private static final Logger LOG = LoggerFactory.getLogger(ClientGone.class);

    public ClientGone() {
        super("the client has left", null, false, false);
    }

    /** Completes when the client of this request leaves before its answer is out. */
    public static Future<Void> of(RoutingContext context) {
        Promise<Void> left = Promise.promise();
        context.response().closeHandler(closed -> left.tryComplete());
        return left.future();
    }

    public static void note(Throwable cause) {
        LOG.debug("a client has left", cause);
    }
}
