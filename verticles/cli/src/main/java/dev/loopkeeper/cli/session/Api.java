package dev.loopkeeper.cli.session;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.view.Run;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.client.HttpRequest;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The HTTP API of one server. Its methods block; a refusal is a {@link CommandFailure} with the server's reason. */
public final class Api {
    private static final String BASE = "/api/v1";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int CONNECT_MILLIS = 5000;
    private static final int FIRST_ERROR = 400;
    private static final int NOT_FOUND = 404;

    private final Vertx vertx;
    private final ServerLocation location;
    private final WebClient client;
    private final Duration patience;

    Api(Vertx vertx, ServerLocation location) {
        this(vertx, location, PATIENCE);
    }

    private Api(Vertx vertx, ServerLocation location, Duration patience) {
        this.vertx = vertx;
        this.location = location;
        this.patience = patience;
        WebClientOptions options = location.secured(new WebClientOptions()
                .setUserAgent("loopkeeper")
                .setFollowRedirects(false)
                .setConnectTimeout(CONNECT_MILLIS)
                .setDefaultHost(location.host())
                .setDefaultPort(location.port()));
        this.client = WebClient.create(vertx, options);
    }

    Vertx vertx() {
        return vertx;
    }

    /** The same server, of which an answer is expected within this time. */
    public Api within(Duration other) {
        return new Api(vertx, location, other);
    }

    public ServerLocation location() {
        return location;
    }

    /** The path of one run, e.g. {@code /runs/demo-1}. */
    public static String run(String runId) {
        return "/runs/" + encoded(runId);
    }

    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** This run as it is now; an unknown one ends the command. */
    public Document<Run> look(String runId) {
        return get(run(runId), Run.class);
    }

    /** Whether the server knows this run; a refusal for any other reason is left to who asks for more. */
    boolean knows(String runId) {
        return send(request(HttpMethod.GET, run(runId), patience), Buffer.buffer(), patience)
                        .statusCode()
                != NOT_FOUND;
    }

    public <V extends Record> Document<V> get(String path, Class<V> kind) {
        return new Document<>(answer(send(request(HttpMethod.GET, path, patience), Buffer.buffer(), patience)), kind);
    }

    /** A document that is no JSON. */
    public String text(String path) {
        HttpResponse<Buffer> response = send(request(HttpMethod.GET, path, patience), Buffer.buffer(), patience);
        if (response.statusCode() >= FIRST_ERROR) {
            throw ApiProblem.failure(response.statusCode(), parsed(response));
        }
        return String.valueOf(response.bodyAsString());
    }

    public <V extends Record> Document<V> post(String path, JsonNode body, Class<V> kind) {
        return postPatiently(path, body, patience, kind);
    }

    /** Submits a run; asked again with the same key it answers with the run that it made. */
    public Document<Run> submit(JsonNode body, String idempotencyKey) {
        HttpRequest<Buffer> request = request(HttpMethod.POST, "/runs", patience)
                .putHeader("Content-Type", "application/json")
                .putHeader("Idempotency-Key", idempotencyKey);
        return new Document<>(answer(send(request, Buffer.buffer(body.toString()), patience)), Run.class);
    }

    /** Stops this run; the answer comes when it is over, or after {@code waiting} at the latest. */
    public Document<Run> stop(String runId, JsonNode body, Duration waiting) {
        String query = waiting.isZero() ? "" : "?wait=" + waiting.toMillis() + "ms";
        return postPatiently(run(runId) + "/stop" + query, body, patience.plus(waiting), Run.class);
    }

    /** A request that is answered when its work is done, which takes a while. */
    public <V extends Record> Document<V> postPatiently(String path, JsonNode body, Duration patience, Class<V> kind) {
        HttpRequest<Buffer> request =
                request(HttpMethod.POST, path, patience).putHeader("Content-Type", "application/json");
        return new Document<>(answer(send(request, Buffer.buffer(body.toString()), patience)), kind);
    }

    private HttpRequest<Buffer> request(HttpMethod method, String path, Duration patience) {
        HttpRequest<Buffer> request = client.request(method, BASE + path).timeout(patience.toMillis());
        location.token().ifPresent(request::bearerTokenAuthentication);
        return request;
    }

    private HttpResponse<Buffer> send(HttpRequest<Buffer> request, Buffer body, Duration patience) {
        try {
            return Session.await(request.sendBuffer(body), patience.plusSeconds(1));
        } catch (CommandFailure late) {
            throw CommandFailure.unreachable("the server at " + location.url() + " does not answer: "
                    + late.getMessage() + "; it may be overloaded or stopped, see its log");
        } catch (Exception unanswered) {
            throw unreachable(unanswered);
        }
    }

    /** What it means that this server does not answer. */
    CommandFailure unreachable(Throwable cause) {
        return CommandFailure.unreachable("no server answers at " + location.url() + " ("
                + Words.oneLine(String.valueOf(cause.getMessage()))
                + "); check --server, or start one with: loopkeeper serve");
    }

    /** What it means that this server answers with an error; {@code body} may be null. */
    CommandFailure refusal(int status, Buffer body) {
        return ApiProblem.failure(status, parsed(status, body == null ? null : body.toString()));
    }

    private JsonNode answer(HttpResponse<Buffer> response) {
        JsonNode document = parsed(response);
        if (response.statusCode() >= FIRST_ERROR) {
            throw ApiProblem.failure(response.statusCode(), document);
        }
        return document;
    }

    private JsonNode parsed(HttpResponse<Buffer> response) {
        return parsed(response.statusCode(), response.bodyAsString());
    }

    private JsonNode parsed(int status, String text) {
        try {
            return text == null || text.isBlank() ? Json.MAPPER.createObjectNode() : Json.MAPPER.readTree(text);
        } catch (JsonProcessingException notJson) {
            throw CommandFailure.unreachable("what answers at " + location.url() + " is no Loopkeeper server (HTTP "
                    + status + "); check --server");
        }
    }
}
