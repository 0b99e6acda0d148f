package dev.loopkeeper.gateway.http;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One operation of the API.
 *
 * @param path below the base, as in the OpenAPI document, e.g. {@code /runs/{runId}}
 * @param methods the first is the one in the OpenAPI document; HEAD accompanies the GET of a document
 * @param bases path prefixes under which it is served; "" for the path itself
 * @param parameters accepted query parameters; a request with another one is refused
 */
public record Endpoint(
        List<HttpMethod> methods,
        String path,
        Scope scope,
        List<String> bases,
        List<String> parameters,
        Handler<RoutingContext> handler) {
    /** Prefix of paths that belong to this version of the API. */
    public static final String BASE = "/api/v1";

    /** Returns the path of a resource as the client of this request reaches it, below the path of a mounted router. */
    public static String path(RoutingContext context, String resource) {
        return mount(context) + BASE + resource;
    }

    /** Returns the path at which the router is mounted, without a slash at its end; empty for a server of its own. */
    public static String mount(RoutingContext context) {
        return Optional.ofNullable(context.mountPoint()).orElse("").replaceFirst("/$", "");
    }

    private static final List<String> API = List.of(BASE);

    public static Endpoint get(String path, Function<RoutingContext, Future<Answer>> work) {
        return document(path, answering(work));
    }

    public static Endpoint post(String path, Function<RoutingContext, Future<Answer>> work) {
        return new Endpoint(List.of(HttpMethod.POST), path, Scope.CONTROL, API, List.of(), answering(work));
    }

    public static Endpoint put(String path, Function<RoutingContext, Future<Answer>> work) {
        return new Endpoint(List.of(HttpMethod.PUT), path, Scope.CONTROL, API, List.of(), answering(work));
    }

    /** A GET whose handler writes one document. */
    public static Endpoint document(String path, Handler<RoutingContext> handler) {
        return new Endpoint(List.of(HttpMethod.GET, HttpMethod.HEAD), path, Scope.READ, API, List.of(), handler);
    }

    /** A GET whose handler writes a stream. */
    public static Endpoint stream(String path, Handler<RoutingContext> handler) {
        return new Endpoint(List.of(HttpMethod.GET), path, Scope.READ, API, List.of(), handler);
    }

    /** Requires control, because the response contains secrets of runs. */
    public Endpoint controlling() {
        return new Endpoint(methods, path, Scope.CONTROL, bases, parameters, handler);
    }

    /** Accepts these query parameters. */
    public Endpoint taking(String... names) {
        return new Endpoint(methods, path, scope, bases, List.of(names), handler);
    }

    /** Serves the path without the base as well. */
    public Endpoint bare() {
        return new Endpoint(methods, path, scope, List.of(BASE, ""), parameters, handler);
    }

    /** Serves the path without the base only. */
    public Endpoint outside() {
        return new Endpoint(methods, path, scope, List.of(""), parameters, handler);
    }

    public Endpoint open() {
        return new Endpoint(methods, path, Scope.OPEN, bases, parameters, handler);
    }

    private static Handler<RoutingContext> answering(Function<RoutingContext, Future<Answer>> work) {
        return context -> begin(work, context)
                .onComplete(answer -> answer.write(context), cause -> ProblemJson.write(context, cause));
    }

    private static Future<Answer> begin(Function<RoutingContext, Future<Answer>> work, RoutingContext context) {
        try {
            return work.apply(context);
        } catch (RuntimeException | Error refused) {
            return Future.failedFuture(refused);
        }
    }
}
