package dev.loopkeeper.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.StrictObject;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.Set;

/** Reads request bodies. */
public final class RequestBody {
    private static final String THE_BODY = "the body";

    private RequestBody() {}

    /** Reads the body strictly; a missing body and JSON {@code null} are treated as {@code {}}. */
    public static StrictObject of(RoutingContext context, Set<String> known) {
        Buffer body = context.body().buffer();
        JsonNode document = body == null || body.length() == 0
                ? Json.MAPPER.createObjectNode()
                : StrictObject.tree(body.getBytes(), THE_BODY);
        return StrictObject.of(document.isNull() ? Json.MAPPER.createObjectNode() : document, THE_BODY, known);
    }

    /** Returns a text that must be given. */
    public static String required(StrictObject body, String name) {
        return body.text(name).orElseThrow(() -> Problem.invalidAt(name, "is missing"));
    }
}
