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
 * A response that is one JSON document.
 *
 * @param body the document as text
 * @param location of what was made
 */
public record Answer(int status, Buffer body, Optional<String> location) {
    /** A document that is text already. */
    public static Answer json(Buffer document) {
        return new Answer(200, document, Optional.empty());
    }

    /** A document about something that was, or would have been, made. */
    public static Answer at(String place, int status, JsonNode body) {
        return new Answer(status, text(body), Optional.of(place));
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

    /** A document that may be large: it is made, and written as text, on a worker. */
    public static Future<Answer> made(Vertx vertx, Callable<JsonNode> document) {
        return vertx.executeBlocking(() -> ok(document.call()), false);
    }

    /** {@code {"name": value}}. */
    public static Answer wrapped(String name, Object value) {
        return ok(Json.MAPPER.createObjectNode().set(name, Json.MAPPER.valueToTree(value)));
    }

    /** Sends it, but for a large one that too many others do not read: then it says so. */
    public void write(RoutingContext context) {
        var response = context.response();
        if (response.ended() || response.closed()) {
            return;
        }
        location.ifPresent(place -> response.putHeader(HttpHeaders.LOCATION, place));
        response.setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        // What was done is told in any case.
        if (body.length() < LargeBodies.LARGE
                || !HttpMethod.GET.equals(context.request().method())) {
            response.end(body).onFailure(ClientGone::note);
        } else if (!LargeBodies.OF_PROCESS.send(context.vertx(), context.request(), body)) {
            ProblemJson.write(context, Problem.tooManyAnswers());
        }
    }
}
