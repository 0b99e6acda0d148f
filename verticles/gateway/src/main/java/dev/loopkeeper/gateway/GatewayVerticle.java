package dev.loopkeeper.gateway;

import dev.loopkeeper.bundle.FolderFiles;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.run.LogPart;
import dev.loopkeeper.contract.run.NodeChannels;
import dev.loopkeeper.contract.run.ReadLog;
import dev.loopkeeper.gateway.feed.Feed;
import dev.loopkeeper.gateway.feed.LiveEvents;
import dev.loopkeeper.gateway.feed.WebSocketSink;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Ids;
import dev.loopkeeper.gateway.http.ProblemJson;
import dev.loopkeeper.run.RunId;
import dev.loopkeeper.work.HomeContext;
import dev.loopkeeper.work.Workers;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.net.BindException;
import java.time.Duration;
import java.util.List;

/**
 * Serves HTTP, WebSocket and server-sent events below {@code /api/v1}. Starting fails with a
 * {@link CannotServeException} when the address is taken or not allowed. Once it is started it says that it lives;
 * everything else is answered after {@link #open}.
 */
public final class GatewayVerticle extends VerticleBase {
    private static final int LONGEST_LINE = 32 * 1024;
    /** At a time. */
    private static final int EXPORTS = 2;

    private static final Duration LONGEST_EXPORT = Duration.ofHours(1);

    private final GatewayOptions options;
    private final GatewayPorts ports;
    private final LiveEvents events = new LiveEvents();
    private ConnectionGuard guard;
    private Feed feed;
    private WorkerExecutor exporters;
    private HttpServer server;
    private volatile boolean open;

    /** One gateway; deploy it once. */
    public GatewayVerticle(GatewayOptions options, GatewayPorts ports) {
        this.options = options;
        this.ports = ports;
    }

    /** Fails with {@link CannotServeException} when the address may not be opened, or its tokens cannot be read. */
    public static Future<Void> check(Vertx vertx, GatewayOptions options) {
        return Gates.open(vertx, options).mapEmpty();
    }

    @Override
    public Future<?> start() {
        RecordCodec.register(vertx);
        return Gates.open(vertx, options)
                .compose(opened ->
                        vertx.executeBlocking(PageRoutes::new, false).compose(pages -> listen(opened, pages)));
    }

    private Future<HttpServer> listen(Gates.Opened opened, PageRoutes pages) {
        guard = new ConnectionGuard(vertx, options.limits());
        feed = new Feed(vertx, ports.store(), options.feed());
        exporters = Workers.of(vertx, "loopkeeper-exports", EXPORTS, LONGEST_EXPORT);
        List<Endpoint> endpoints = new Endpoints(vertx, options, ports, events, feed, guard::release)
                .all(pages, opened.workspaces(), exporters);
        RateLimit rate = new RateLimit(options.limits().requestsPerSecond());
        Router router = new ApiRouter(vertx, opened.access(), options.limits(), guard, rate, () -> open).of(endpoints);
        server = vertx.createHttpServer(serverOptions())
                .connectionHandler(guard::opened)
                .invalidRequestHandler(ProblemJson::refuse)
                .requestHandler(router);
        return server.listen(options.port(), options.host()).recover(cause -> Future.failedFuture(explained(cause)));
    }

    /** From now on every request is answered, and the feed tells what happens. */
    public Future<Void> open() {
        return new HomeContext(context)
                .call(() -> NodeChannels.READ_LOG
                        .serve(vertx.eventBus(), this::read)
                        .compose(serving -> new NodeFiles(vertx, new FolderFiles(options.dataFolder())).serve())
                        .compose(serving -> events.start(vertx.eventBus()))
                        .compose(hearing -> feed.start(events))
                        .<Void>mapEmpty()
                        .onSuccess(ready -> open = true));
    }

    /** For another node, to which nothing tells which names are plain. */
    private Future<LogPart> read(ReadLog asked) {
        boolean plain = RunId.isValid(asked.runId())
                && Ids.isPlain(asked.stepId())
                && LogRoute.STREAMS.contains(asked.stream())
                && asked.offset() >= 0
                && asked.length() >= 0
                && asked.length() <= ReadLog.MOST;
        StepLog log = new StepLog(options.dataFolder(), asked.runId(), asked.stepId(), asked.stream());
        return plain
                ? vertx.executeBlocking(() -> log.part(asked.offset(), asked.length()), false)
                : Future.failedFuture(new IllegalArgumentException("no log is named like this"));
    }

    private HttpServerOptions serverOptions() {
        // One protocol for all: Java's own client would ask for HTTP/2 in the clear. A compressed frame would have to
        // be made for each client of the feed anew. The longest line names hundreds of runs.
        HttpServerOptions serving = new HttpServerOptions()
                .setHttp2ClearTextEnabled(false)
                .setWebSocketSubProtocols(List.of(Access.PROTOCOL))
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                // The feed ends what it closes by itself; Vert.x would begin to wait once more when the end is there.
                .setWebSocketClosingTimeout(-1)
                .setMaxWebSocketFrameSize(WebSocketSink.LONGEST_MESSAGE)
                .setMaxWebSocketMessageSize(WebSocketSink.LONGEST_MESSAGE)
                .setMaxInitialLineLength(LONGEST_LINE);
        options.admission()
                .tls()
                .ifPresent(files -> serving.setSsl(true).setUseAlpn(false).setKeyCertOptions(files.options()));
        return serving;
    }

    private CannotServeException explained(Throwable cause) {
        if (options.admission().tls().isPresent() && !(cause instanceof BindException)) {
            return CannotServeException.without(options, TlsFiles.advice(cause), cause);
        }
        String reason = cause instanceof BindException
                ? CannotServeException.unbound(cause)
                : "check the host (" + cause.getMessage() + ")";
        return new CannotServeException(options.host(), options.port(), reason, cause);
    }

    /** Where it listens, e.g. {@code http://127.0.0.1:8080}; only once it is deployed. */
    public String url() {
        String host = options.host().contains(":") ? "[" + options.host() + "]" : options.host();
        String scheme = options.admission().tls().isPresent() ? "https://" : "http://";
        return scheme + host + ":" + server.actualPort();
    }

    /** The port it really listens on; only once it is deployed. */
    public int port() {
        return server.actualPort();
    }

    /** How many listen to events in this gateway: the feed, and each client that waits for something. */
    int listeners() {
        return events.listeners();
    }

    /** How many clients are connected, for whatever. */
    int connections() {
        return guard.connections();
    }

    /** How many clients the feed has. */
    int feedClients() {
        return feed.clients();
    }

    @Override
    public Future<?> stop() {
        if (server == null) {
            return Future.succeededFuture();
        }
        return feed.close().eventually(server::close).eventually(exporters::close);
    }
}
