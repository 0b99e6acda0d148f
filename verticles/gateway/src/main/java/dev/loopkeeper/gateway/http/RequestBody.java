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

    /**
     * The body, read strictly; no body counts as {@code {}}. A field that stands in the address instead is refused: left
     * out of account, {@code resume?dryRun=true} would resume.
     */
    public static StrictObject of(RoutingContext context, Set<String> known) {
        Buffer body = context.body().buffer();
        known.stream()
                .filter(name -> !context.queryParam(name).isEmpty())
                .sorted()
                .findFirst()
                .ifPresent(name -> {
                    throw Problem.invalidAt(name, "belongs into the body, not into the address");
                });
        byte[] json = body == null || body.length() == 0 ? NO_BODY : body.getBytes();
        return StrictObject.read(json, "the body", known);
    }
}
