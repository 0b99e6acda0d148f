package dev.loopkeeper.gateway;

import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.ProblemJson;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Serves the OpenAPI document and the dashboard, which loads nothing from other servers. */
final class PageRoutes {
    private static final String OPENAPI = "openapi.json";
    private static final String NOTHING = "default-src 'none'";
    private static final String POLICY = NOTHING + "; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    /** A web worker has the policy of its own script. */
    private static final String THREAD = NOTHING + "; connect-src 'self'";

    /** The files of the page of an answer link, with their types. */
    private static final Map<String, String> ANSWER_PAGE =
            Map.of("answer.html", "text/html", "answer.js", "text/javascript", "answer.css", "text/css");

    private static final String FRESH = "no-cache";
    private static final String FOR_GOOD = "public, max-age=31536000, immutable";

    /** Kept as bytes: a string would take twice the memory and be decoded at each start. */
    private final Buffer openApi = Buffer.buffer(PageAssets.bytes(OPENAPI));

    private PageAssets assets;

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.document(
                                "/openapi.json",
                                context -> send(context, "application/json", FRESH, NOTHING, api(context)))
                        .open()
                        .bare(),
                outside("/", this::page),
                outside("/answer", context -> answerPage(context, "answer.html")),
                outside("/answer/{file}", context -> answerPage(context, context.pathParam("file"))),
                outside("/assets/{hash}/{file}", context -> asset(context, "")),
                outside("/assets/{hash}/directives/{file}", context -> asset(context, "directives/")));
    }

    /** A document that is no part of the API. */
    private static Endpoint outside(String path, Handler<RoutingContext> handler) {
        return Endpoint.document(path, handler).open().outside();
    }

    /** The document with the addresses at which the client of this request reaches the paths. */
    private Buffer api(RoutingContext context) {
        String mount = Endpoint.mount(context);
        return mount.isEmpty()
                ? openApi
                : Buffer.buffer(openApi.toString().replace("{\"url\": \"/", "{\"url\": \"" + mount + "/"));
    }

    private void page(RoutingContext context) {
        withAssets(
                context,
                loaded -> send(context, "text/html; charset=utf-8", FRESH, POLICY, Buffer.buffer(loaded.page())));
    }

    /** The page of an answer link, without anything of the dashboard. */
    private static void answerPage(RoutingContext context, String name) {
        String type = Optional.ofNullable(ANSWER_PAGE.get(name))
                .orElseThrow(() -> Problem.notFound("the page of an answer link has no such file"));
        send(context, type + "; charset=utf-8", FRESH, POLICY, Buffer.buffer(PageAssets.bytes("answer/" + name)));
    }

    private void asset(RoutingContext context, String folder) {
        String name = folder + context.pathParam("file");
        String type = name.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8";
        withAssets(
                context,
                loaded -> send(
                        context,
                        type,
                        FOR_GOOD,
                        name.equals(PageAssets.SOCKET) ? THREAD : NOTHING,
                        loaded.asset(context.pathParam("hash"), name)
                                .orElseThrow(() -> Problem.notFound(
                                        "this version of the page has no such asset; reload the page"))));
    }

    /** Loads assets at the first request, since most runtimes never serve a browser. */
    private void withAssets(RoutingContext context, Consumer<PageAssets> work) {
        context.vertx()
                .executeBlocking(this::loaded, false)
                .compose(loaded -> {
                    work.accept(loaded);
                    return Future.succeededFuture();
                })
                .onFailure(cause -> ProblemJson.write(context, cause));
    }

    private synchronized PageAssets loaded() {
        if (assets == null) {
            assets = PageAssets.load();
        }
        return assets;
    }

    private static void send(RoutingContext context, String type, String caching, String policy, Buffer content) {
        context.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, type)
                .putHeader(HttpHeaders.CACHE_CONTROL, caching)
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("Content-Security-Policy", policy)
                .end(content)
                .onFailure(ClientGone::note);
    }
}
