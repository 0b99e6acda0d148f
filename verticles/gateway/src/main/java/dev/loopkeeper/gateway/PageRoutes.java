package dev.loopkeeper.gateway;

import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.step.Sha256;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** The documents that come with the server: its contract, and the dashboard, one page that loads nothing else. */
final class PageRoutes {
    private static final String OPENAPI = "openapi.json";
    private static final String NOTHING = "default-src 'none'";

    private final String openApi = resource(OPENAPI);
    private final String style = resource("dashboard.css");
    private final String script = resource("dashboard.js");
    private final String page =
            resource("index.html").replace("/*style*/", style).replace("/*script*/", script);
    /** By their hashes just this style and this script run, whatever somebody may smuggle into the page. */
    private final String policy = NOTHING + "; script-src " + hash(script) + "; style-src " + hash(style)
            + "; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.document("/openapi.json", context -> send(context, "application/json", NOTHING, openApi))
                        .open()
                        .bare(),
                Endpoint.document("/", context -> send(context, "text/html; charset=utf-8", policy, page))
                        .open()
                        .bare());
    }

    private static void send(RoutingContext context, String type, String policy, String text) {
        context.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, type)
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache")
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("Content-Security-Policy", policy)
                .end(text)
                .onFailure(ClientGone::note);
    }

    /** As a policy names it, e.g. {@code 'sha256-AbC...='}. */
    private static String hash(String text) {
        return "'sha256-" + Base64.getEncoder().encodeToString(Sha256.of(text)) + "'";
    }

    /** Read once, before anything is served. */
    static String resource(String name) {
        try (InputStream stream = PageRoutes.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("the jar lacks its resource " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
