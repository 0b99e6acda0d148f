package dev.loopkeeper.contract;

import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import java.util.UUID;

/**
 * The server without tokens of this {@link Vertx}. Each process of the machine can use it, also one in a sandbox: {@code
 * serve} therefore launches no agent in one, and any other server then requires its secret, which only readers of the
 * data folder know. Thread-safe.
 */
public final class OpenServer {
    private static final String NAME = "loopkeeper.open-server";
    private static final String SECRET = "secret";
    private static final String SHARED = "shared";
    private static final String CLOSED = "closed";

    private OpenServer() {}

    /** Returns the secret of this process, which clients read in {@code server.json}. */
    public static String secret(Vertx vertx) {
        return map(vertx).computeIfAbsent(SECRET, absent -> UUID.randomUUID().toString());
    }

    /** Notes before the first launch that others use the server too, and have no secret. */
    public static void share(Vertx vertx) {
        map(vertx).put(SHARED, "");
    }

    /** Requires the secret from now on; false if others use the server, which then stays open. */
    public static boolean close(Vertx vertx) {
        boolean shared = map(vertx).containsKey(SHARED);
        if (!shared) {
            map(vertx).put(CLOSED, "");
        }
        return !shared;
    }

    /** Whether the secret is required. */
    public static boolean isClosed(Vertx vertx) {
        return map(vertx).containsKey(CLOSED);
    }

    private static LocalMap<String, String> map(Vertx vertx) {
        return vertx.sharedData().getLocalMap(NAME);
    }
}
