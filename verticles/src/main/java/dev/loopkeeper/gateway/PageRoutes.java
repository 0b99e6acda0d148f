package dev.loopkeeper.gateway;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The documents that come with the server: its contract, and a page that says where one is. */
final class PageRoutes {
    private static final String OPENAPI = "openapi.json";
    private static final String INDEX = "index.html";

    private final String openApi = resource(OPENAPI);
    private final String index = resource(INDEX);

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.stream("/openapi.json", context -> send(context, "application/json", openApi))
                        .open()
                        .bare(),
                Endpoint.stream("/", context -> send(context, "text/html; charset=utf-8", index))
                        .open()
                        .bare());
    }

    private static void send(RoutingContext context, String type, String text) {
        context.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, type)
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
                .end(text)
                .onFailure(ClientGone::note);
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
