package dev.loopkeeper.gateway.http;

import dev.loopkeeper.json.StrictObject;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** The body of a request. */
public final class RequestBody {
    private static final byte[] NO_BODY = "{}".getBytes(StandardCharsets.UTF_8);

    private RequestBody() {}

    /** The body, read strictly; no body counts as {@code {}}. */
    public static StrictObject of(RoutingContext context, Set<String> known) {
        Buffer body = context.body().buffer();
        byte[] json = body == null || body.length() == 0 ? NO_BODY : body.getBytes();
        return StrictObject.read(json, "the body", known);
    }
}
