package dev.loopkeeper.gateway.http;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.Function;

/**
 * One operation of the API.
 *
 * @param path below the base, as the OpenAPI document spells it, e.g. {@code /runs/{runId}}
 * @param methods the first one is the OpenAPI document's; HEAD stands beside the GET of one document
 * @param bases what it is served below, "" for the path itself
 * @param parameters the query parameters it takes; a request with any other one is refused
 */
public record Endpoint(
        List<HttpMethod> methods,
        String path,
        Scope scope,
        List<String> bases,
        List<String> parameters,
        Handler<RoutingContext> handler) {
    /** What is below it needs the API's version. */
    public static final String BASE = "/api/v1";

    private static final List<String> API = List.of(BASE);

    public static Endpoint get(String path, Function<RoutingContext, Future<Answer>> work) {
        return document(path, answering(work));
    }

    public static Endpoint post(String path, Function<RoutingContext, Future<Answer>> work) {
        return new Endpoint(List.of(HttpMethod.POST), path, Scope.CONTROL, API, List.of(), answering(work));
    }

    /** A GET that writes one document by itself. */
    public static Endpoint document(String path, Handler<RoutingContext> handler) {
        return new Endpoint(List.of(HttpMethod.GET, HttpMethod.HEAD), path, Scope.READ, API, List.of(), handler);
    }

    /** A GET that writes for as long as there is something. */
    public static Endpoint stream(String path, Handler<RoutingContext> handler) {
        return new Endpoint(List.of(HttpMethod.GET), path, Scope.READ, API, List.of(), handler);
    }

    /** A GET of what also holds the secrets of runs. */
    public Endpoint controlling() {
        return new Endpoint(methods, path, Scope.CONTROL, bases, parameters, handler);
    }

    /** With these query parameters. */
    public Endpoint taking(String... names) {
        return new Endpoint(methods, path, scope, bases, List.of(names), handler);
    }

    /** Served without the base as well. */
    public Endpoint bare() {
        return new Endpoint(methods, path, scope, List.of(BASE, ""), parameters, handler);
    }

    /** No part of the API: served without the base alone. */
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
