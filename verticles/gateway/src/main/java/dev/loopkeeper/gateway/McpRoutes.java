package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.gateway.access.Access;
import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.ProblemJson;
import dev.loopkeeper.gateway.http.Scope;
import dev.loopkeeper.gateway.mcp.McpApi;
import dev.loopkeeper.gateway.mcp.McpLimits;
import dev.loopkeeper.gateway.mcp.McpService;
import dev.loopkeeper.gateway.mcp.ProblemText;
import dev.loopkeeper.gateway.mcp.ToolFailure;
import dev.loopkeeper.json.Json;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.HostAndPort;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The Model Context Protocol over streamable HTTP, without sessions. A tool sends its request to this server with the
 * credentials of its caller, so that each check and rule of the API applies. Used on one event loop.
 */
final class McpRoutes {
    private static final String VERSION = "MCP-Protocol-Version";
    private static final int MOST_CALLS = 64;
    private static final int FIRST_ERROR = 400;
    private static final List<CharSequence> CREDENTIALS = List.of(HttpHeaders.AUTHORIZATION, HttpHeaders.COOKIE);

    private final Vertx vertx;
    /** By the scope of the caller. */
    private final Map<Scope, Future<McpService>> services = new EnumMap<>(Scope.class);

    private Optional<HttpClient> client = Optional.empty();

    McpRoutes(Vertx vertx) {
        this.vertx = vertx;
    }

    List<Endpoint> endpoints() {
        return List.of(
                new Endpoint(List.of(HttpMethod.POST), "/mcp", Scope.READ, List.of(""), List.of(), this::answer));
    }

    private void answer(RoutingContext context) {
        String version = context.request().getHeader(VERSION);
        String message = context.body().buffer() == null ? "" : context.body().asString();
        // The SDK's classes are loaded with the first request, which takes too long for an event loop.
        services.computeIfAbsent(
                        Access.granted(context),
                        scope -> vertx.executeBlocking(
                                () -> McpService.outside(scope != Scope.CONTROL, McpService.LocalTools.NONE), false))
                .compose(service -> {
                    if (version != null && !McpService.versions().contains(version)) {
                        throw Problem.invalid(VERSION + " must be one of " + String.join(", ", McpService.versions()));
                    }
                    return Future.fromCompletionStage(
                            service.answer(message, api(context)), vertx.getOrCreateContext());
                })
                .onComplete(answer -> write(context, answer), cause -> ProblemJson.write(context, cause));
    }

    private static void write(RoutingContext context, Optional<String> answer) {
        if (answer.isPresent() && answer.get().startsWith(McpService.UNREADABLE)) {
            ProblemJson.write(context, Problem.invalid("the body is not a message of JSON-RPC 2.0"));
            return;
        }
        context.response().setStatusCode(answer.isPresent() ? 200 : 202);
        answer.ifPresent(text -> context.response().putHeader(HttpHeaders.CONTENT_TYPE, "application/json"));
        context.response().end(answer.orElse("")).onFailure(ClientGone::note);
    }

    private McpApi api(RoutingContext context) {
        return (method, path, body) -> call(context, method, path, body).toCompletionStage();
    }

    private Future<JsonNode> call(RoutingContext context, String method, String path, Optional<JsonNode> body) {
        HttpServerRequest caller = context.request();
        HostAndPort host = Optional.ofNullable(caller.authority()).orElse(HostAndPort.create("localhost", -1));
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.valueOf(method))
                .setServer(caller.localAddress())
                .setHost(host.host())
                .setPort(host.port() > 0 ? host.port() : caller.isSSL() ? 443 : 80)
                .setSsl(caller.isSSL())
                .setTimeout(McpLimits.LONGEST_CALL.toMillis())
                .setURI(Endpoint.path(context, path));
        for (CharSequence name : CREDENTIALS) {
            Optional.ofNullable(caller.getHeader(name)).ifPresent(value -> options.putHeader(name, value));
        }
        body.ifPresent(json -> options.putHeader(HttpHeaders.CONTENT_TYPE, "application/json"));
        return client().request(options)
                .compose(request -> request.send(
                        body.map(json -> Buffer.buffer(json.toString())).orElse(Buffer.buffer())))
                .compose(response -> response.body().map(answer -> document(response.statusCode(), answer)));
    }

    private static JsonNode document(int status, Buffer answer) {
        try {
            JsonNode document = Json.MAPPER.readTree(answer.getBytes());
            if (status >= FIRST_ERROR) {
                throw new ToolFailure(String.join("\n", ProblemText.lines(status, document)));
            }
            return document;
        } catch (IOException noJson) {
            throw new UncheckedIOException(noJson);
        }
    }

    /** The certificate is this server's own, at the address at which the caller reached it. */
    private HttpClient client() {
        if (client.isEmpty()) {
            client = Optional.of(vertx.createHttpClient(
                    new HttpClientOptions().setTrustAll(true).setVerifyHost(false),
                    new PoolOptions().setHttp1MaxSize(MOST_CALLS).setMaxWaitQueueSize(MOST_CALLS)));
        }
        return client.get();
    }
}
