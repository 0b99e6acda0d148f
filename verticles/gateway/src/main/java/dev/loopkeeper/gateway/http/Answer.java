package dev.loopkeeper.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * A response with one JSON document.
 *
 * @param body the document as text
 * @param location URL path of a created resource
 */
public record Answer(int status, Buffer body, Optional<String> location) {
    /** A document about a created resource, or one that exists already. */
    public static Answer at(String location, int status, JsonNode body) {
        return new Answer(status, text(body), Optional.of(location));
    }

    private static Buffer text(JsonNode body) {
        return Buffer.buffer(body.toString());
    }

    public static Answer ok(JsonNode body) {
        return of(200, body);
    }

    public static Answer of(int status, JsonNode body) {
        return new Answer(status, text(body), Optional.empty());
    }

    /** Builds and serializes a possibly large document on a worker. */
    public static Future<Answer> made(Vertx vertx, Callable<JsonNode> document) {
        return vertx.executeBlocking(() -> ok(document.call()), false);
    }

    /** {@code {"name": value}}. */
    public static Answer wrapped(String name, Object value) {
        return ok(Json.MAPPER.createObjectNode().set(name, Json.MAPPER.valueToTree(value)));
    }

    /** Sends the response. A large document is refused while too many others wait for their clients. */
    public void write(RoutingContext context) {
        var response = context.response();
        if (response.ended() || response.closed()) {
            return;
        }
        location.ifPresent(path -> response.putHeader(HttpHeaders.LOCATION, path));
        response.setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        // The result of a change is always sent.
        if (body.length() < LargeBodies.LARGE
                || !HttpMethod.GET.equals(context.request().method())) {
            response.end(body).onFailure(ClientGone::note);
        } else if (!LargeBodies.OF_PROCESS.send(context.vertx(), context.request(), body)) {
            ProblemJson.write(context, Problem.tooManyAnswers());
        }
    }
}
