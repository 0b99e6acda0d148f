package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.json.Json;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.client.HttpRequest;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** HTTP to a keeper in this JVM; each answer is held against the OpenAPI document. */
final class WebApi {
    private static final Contract CONTRACT = Contract.ofProgram();

    private final WebClient client;
    private final String url;

    /** The API of this keeper, which must serve it. */
    static WebApi of(Keeper keeper) {
        return new WebApi(keeper.vertx(), keeper.url());
    }

    WebApi(Vertx vertx, String url) {
        this.client = WebClient.create(vertx);
        this.url = url;
    }

    /** An answer; {@code body} is null where it is no JSON. */
    record Answer(int status, JsonNode body, String text) {
        String code() {
            return body.path("code").asText();
        }
    }

    Answer get(String path) {
        return ask(HttpMethod.GET, path, Map.of(), "");
    }

    Answer post(String path, String body) {
        return ask(HttpMethod.POST, path, Map.of(), body);
    }

    /** Submits this manifest. */
    Answer submit(String manifest, Path workspace, Map<String, String> headers) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("manifest", manifest).put("workspace", workspace.toString());
        return ask(HttpMethod.POST, "/runs", headers, body.toString());
    }

    Answer ask(HttpMethod method, String path, Map<String, String> headers, String body) {
        HttpRequest<Buffer> request = client.requestAbs(method, url + "/api/v1" + path);
        headers.forEach(request::putHeader);
        if (!body.isEmpty()) {
            request.putHeader("Content-Type", "application/json");
        }
        HttpResponse<Buffer> response = Keeper.await(request.sendBuffer(Buffer.buffer(body)));
        String text = response.body() == null ? "" : response.bodyAsString();
        String type = response.getHeader("Content-Type");
        CONTRACT.check(method.name(), "/api/v1" + path, response.statusCode(), type, text);
        return new Answer(response.statusCode(), type.contains("json") ? parsed(text) : null, text);
    }

    private static JsonNode parsed(String text) {
        try {
            return Json.MAPPER.readTree(text);
        } catch (IOException notJson) {
            throw new AssertionError(text, notJson);
        }
    }
}
