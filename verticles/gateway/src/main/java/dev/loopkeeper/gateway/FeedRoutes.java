package dev.loopkeeper.gateway;

import dev.loopkeeper.gateway.feed.EventStreamSink;
import dev.loopkeeper.gateway.feed.Feed;
import dev.loopkeeper.gateway.feed.FeedClient;
import dev.loopkeeper.gateway.feed.FeedFilter;
import dev.loopkeeper.gateway.feed.FeedOptions;
import dev.loopkeeper.gateway.feed.WebSocketSink;
import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.gateway.http.Connections;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.Query;
import dev.loopkeeper.termination.RefusalCode;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Serves the feed at {@code /feed} (WebSocket) and at {@code /stream} (server-sent events). */
record FeedRoutes(Vertx vertx, Feed feed, FeedOptions options, Function<HttpConnection, Runnable> upgraded) {
    private static final String[] FILTER = {"runs", "types", "since"};

    private static final String VERSION = "13";

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.stream("/feed", this::socket).taking(FILTER).bare(),
                Endpoint.stream("/stream", this::stream).taking(FILTER).bare());
    }

    private void socket(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (!"websocket".equalsIgnoreCase(request.getHeader(HttpHeaders.UPGRADE))) {
            throw new Problem(
                    RefusalCode.UPGRADE_REQUIRED, "this is a WebSocket; /stream is the same feed without one");
        }
        FeedFilter filter = FeedFilter.of(new Query(context), Optional.empty());
        requireHandshake(context);
        request.toWebSocket().onComplete(socket -> open(socket, request, filter), ClientGone::note);
    }

    /** Vert.x itself would refuse a malformed one without a problem document. */
    private static void requireHandshake(RoutingContext context) {
        HttpServerRequest request = context.request();
        String version = request.getHeader("Sec-WebSocket-Version");
        if (!VERSION.equals(version)) {
            context.response().putHeader("Sec-WebSocket-Version", VERSION);
            throw new Problem(
                    RefusalCode.UPGRADE_REQUIRED,
                    "Sec-WebSocket-Version must be " + VERSION + "; /stream is the same feed without a WebSocket");
        }
        if (request.headers().getAll(HttpHeaders.CONNECTION).stream()
                .noneMatch(value -> value.toLowerCase(Locale.ROOT).contains("upgrade"))) {
            throw Problem.invalid("a WebSocket needs the header Connection: Upgrade");
        }
        String key = request.getHeader("Sec-WebSocket-Key");
        if (key == null || key.isBlank()) {
            throw Problem.invalid("a WebSocket needs the header Sec-WebSocket-Key");
        }
    }

    private void open(ServerWebSocket socket, HttpServerRequest request, FeedFilter filter) {
        Runnable closing = upgraded.apply(request.connection());
        Connections.batchWrites(request.connection());
        FeedClient client = feed.open(new WebSocketSink(vertx, socket, request.connection(), options), filter);
        socket.closeHandler(closed -> {
            client.gone();
            closing.run();
        });
    }

    private void stream(RoutingContext context) {
        HttpServerRequest request = context.request();
        FeedFilter filter = FeedFilter.of(new Query(context), Optional.ofNullable(request.getHeader("Last-Event-ID")));
        Connections.batchWrites(request.connection());
        FeedClient client =
                feed.open(new EventStreamSink(vertx, context.response(), request.connection(), options), filter);
        context.response().closeHandler(closed -> client.gone());
    }
}
