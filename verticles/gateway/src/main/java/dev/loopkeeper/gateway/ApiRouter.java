package dev.loopkeeper.gateway;

import dev.loopkeeper.gateway.access.Access;
import dev.loopkeeper.gateway.access.ConnectionGuard;
import dev.loopkeeper.gateway.access.GatewayLimits;
import dev.loopkeeper.gateway.access.RateLimit;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.ProblemJson;
import dev.loopkeeper.gateway.http.Query;
import dev.loopkeeper.gateway.http.Scope;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.work.Instants;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.AuthenticationHandler;
import io.vertx.ext.web.handler.BodyHandler;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * Builds the router: common checks, the endpoints, and problem documents for failures.
 *
 * @param open whether the runs of an earlier runtime are loaded, so that requests can be answered
 */
record ApiRouter(Access access, GatewayLimits limits, ConnectionGuard guard, RateLimit rate, BooleanSupplier open) {
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    /** @param authentication identifies callers in place of tokens */
    void mount(Router router, List<Endpoint> endpoints, Optional<AuthenticationHandler> authentication) {
        router.route()
                .handler(ApiRouter::addDate)
                .handler(guard::begin)
                .handler(this::checkRate)
                .handler(access::checkSource)
                .handler(ApiRouter::checkPath)
                .failureHandler(ProblemJson::answer);
        authentication.ifPresent(handler -> router.route().handler(handler));
        Map<String, TreeSet<String>> methods = new TreeMap<>();
        for (Endpoint endpoint : endpoints) {
            for (String path : paths(endpoint)) {
                for (HttpMethod method : endpoint.methods()) {
                    mount(router, method, path, endpoint);
                    methods.computeIfAbsent(path, each -> new TreeSet<>()).add(method.name());
                }
            }
        }
        methods.forEach((path, allowed) ->
                router.route(path).handler(context -> refuseMethod(context, String.join(", ", allowed))));
        router.route().handler(ApiRouter::refusePath);
    }

    private static List<String> paths(Endpoint endpoint) {
        String path = endpoint.path().replaceAll("\\{(\\w+)}", ":$1");
        return endpoint.bases().stream().map(base -> base + path).toList();
    }

    private void mount(Router router, HttpMethod method, String path, Endpoint endpoint) {
        if (endpoint.scope() != Scope.OPEN || endpoint.path().equals(HealthRoutes.READY)) {
            router.route(method, path).handler(this::requireOpen);
        }
        router.route(method, path).handler(context -> access.checkScope(context, endpoint.scope()));
        // Chat programs add parameters to the links of pages.
        if (endpoint.bases().contains(Endpoint.BASE)) {
            router.route(method, path).handler(context -> Query.requireKnown(context, endpoint.parameters()));
        }
        if (method.equals(HttpMethod.POST) || method.equals(HttpMethod.PUT)) {
            router.route(method, path).handler(ApiRouter::requireJson);
            router.route(method, path).handler(guard::awaitBody);
            router.route(method, path).handler(BodyHandler.create(false).setBodyLimit(limits.maxBodyBytes()));
        }
        router.route(method, path).handler(endpoint.handler());
    }

    /** Clients with a wrong clock compute ages by it. */
    private static void addDate(RoutingContext context) {
        context.response().putHeader(HttpHeaders.DATE, DATE.format(Instants.now()));
        context.next();
    }

    private void requireOpen(RoutingContext context) {
        if (!open.getAsBoolean()) {
            context.response().putHeader(HttpHeaders.RETRY_AFTER, "1");
            throw new Problem(RefusalCode.STARTING, "the server is loading its open runs; retry in a second");
        }
        context.next();
    }

    private void checkRate(RoutingContext context) {
        String address = context.request().remoteAddress().hostAddress();
        OptionalLong seconds = rate.take(String.valueOf(address), System.nanoTime());
        if (seconds.isPresent()) {
            context.response().putHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds.getAsLong()));
            throw new Problem(RefusalCode.TOO_MANY_REQUESTS, "too many requests from this address; retry later");
        }
        context.next();
    }

    /** The router refuses such a path too, but logs it as an unexpected error. */
    private static void checkPath(RoutingContext context) {
        try {
            context.normalizedPath();
        } catch (IllegalArgumentException badEscape) {
            throw Problem.invalid("the path has a % without two hexadecimal digits after it");
        }
        context.next();
    }

    /** Refuses other content unread: other origins may send text and forms without a preflight request. */
    private static void requireJson(RoutingContext context) {
        String length = context.request().getHeader(HttpHeaders.CONTENT_LENGTH);
        boolean chunked = context.request().headers().contains(HttpHeaders.TRANSFER_ENCODING);
        boolean empty = !chunked && (length == null || length.equals("0"));
        if (!empty && !isJson(context.request().getHeader(HttpHeaders.CONTENT_TYPE))) {
            throw new Problem(RefusalCode.UNSUPPORTED_MEDIA_TYPE, "send the body as application/json");
        }
        context.next();
    }

    private static boolean isJson(String contentType) {
        return contentType != null
                && contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals("application/json");
    }

    private static void refuseMethod(RoutingContext context, String allowed) {
        context.response().putHeader(HttpHeaders.ALLOW, allowed);
        throw new Problem(RefusalCode.METHOD_NOT_ALLOWED, "this path accepts only " + allowed);
    }

    private static void refusePath(RoutingContext context) {
        throw Problem.notFound("unknown path; /openapi.json lists the paths of this server");
    }
}
