package dev.loopkeeper.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/**
 * A response that is one JSON document.
 *
 * @param location of what was made
 */
public record Answer(int status, JsonNode body, Optional<String> location) {
    public static Answer ok(JsonNode body) {
        return of(200, body);
    }

    public static Answer of(int status, JsonNode body) {
        return new Answer(status, body, Optional.empty());
    }

    /** {@code {"name": value}}. */
    public static Answer wrapped(String name, Object value) {
        return ok(Json.MAPPER.createObjectNode().set(name, Json.MAPPER.valueToTree(value)));
    }

    void write(RoutingContext context) {
        var response = context.response();
        if (response.ended() || response.closed()) {
            return;
        }
        location.ifPresent(place -> response.putHeader(HttpHeaders.LOCATION, place));
        response.setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(body.toString())
                .onFailure(ClientGone::note);
    }
}
