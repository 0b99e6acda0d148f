package dev.loopkeeper.gateway;

import dev.loopkeeper.bundle.FolderFiles;
import dev.loopkeeper.contract.NodeChannels;
import dev.loopkeeper.contract.NodeChannels.LogPart;
import dev.loopkeeper.contract.NodeChannels.ReadLog;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.data.StepLog;
import dev.loopkeeper.gateway.access.Access;
import dev.loopkeeper.gateway.access.CannotServeException;
import dev.loopkeeper.gateway.access.ConnectionGuard;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.gateway.access.ListenChecks;
import dev.loopkeeper.gateway.access.RateLimit;
import dev.loopkeeper.gateway.access.TlsFiles;
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
import java.util.Optional;

/**
 * Serves HTTP, WebSocket and server-sent events below {@code /api/v1}. Its start fails with
 * {@link CannotServeException} if the address is in use or not allowed. Until {@link #open} it answers liveness probes
 * only.
 */
public final class GatewayVerticle extends VerticleBase {
    private static final int LONGEST_LINE = 32 * 1024;
    /** Number of concurrent exports. */
    private static final int EXPORTS = 2;

    private static final Duration LONGEST_EXPORT = Duration.ofHours(1);

    private final GatewayOptions options;
    private final GatewayPorts ports;
    private final Optional<Router> mount;
    private final LiveEvents events = new LiveEvents();
    private ConnectionGuard guard;
    private Feed feed;
    private RunWait waits;
    private WorkerExecutor exporters;
    private HttpServer server;
    private volatile boolean open;

    /** Deploy an instance once. */
    public GatewayVerticle(GatewayOptions options, GatewayPorts ports) {
        this(options, ports, Optional.empty());
    }

    /** @param mount router of another server, which is used in place of a server of its own */
    GatewayVerticle(GatewayOptions options, GatewayPorts ports, Optional<Router> mount) {
        this.options = options;
        this.ports = ports;
        this.mount = mount;
    }

    /** Fails with {@link CannotServeException} if the address is not allowed or the tokens cannot be read. */
    public static Future<Void> check(Vertx vertx, GatewayOptions options) {
        return ListenChecks.open(vertx, options).mapEmpty();
    }

    @Override
    public Future<?> start() {
        RecordCodec.register(vertx);
        return ListenChecks.open(vertx, options)
                .compose(opened ->
                        vertx.executeBlocking(PageRoutes::new, false).compose(pages -> listen(opened, pages)));
    }

    private Future<?> listen(ListenChecks.Passed opened, PageRoutes pages) {
        guard = new ConnectionGuard(vertx, options.limits());
        feed = new Feed(vertx, ports.store(), options.feed());
        waits = new RunWait(vertx, ports.store(), events);
        exporters = Workers.of(vertx, "loopkeeper-exports", EXPORTS, LONGEST_EXPORT);
        List<Endpoint> endpoints = new Endpoints(vertx, options, ports, events, feed, guard::release)
                .all(pages, opened.workspaces(), exporters, waits);
        RateLimit rate = new RateLimit(options.limits().requestsPerSecond());
        Router router = mount.orElseGet(() -> Router.router(vertx));
        new ApiRouter(opened.access(), options.limits(), guard, rate, () -> open)
                .mount(router, endpoints, options.admission().authentication());
        if (mount.isPresent()) {
            return Future.succeededFuture();
        }
        server = vertx.createHttpServer(serverOptions())
                .connectionHandler(guard::opened)
                .invalidRequestHandler(ProblemJson::refuse)
                .requestHandler(router);
        return server.listen(options.port(), options.host()).recover(cause -> Future.failedFuture(explained(cause)));
    }

    /** Starts to answer all requests and to feed events. */
    public Future<Void> open() {
        return new HomeContext(context)
                .call(() -> NodeChannels.READ_LOG
                        .serve(vertx.eventBus(), this::read)
                        .compose(serving -> new NodeFiles(vertx, new FolderFiles(options.dataFolder())).serve())
                        .compose(serving -> events.start(vertx.eventBus()))
                        .compose(listening -> feed.start(events))
                        .<Void>mapEmpty()
                        .onSuccess(ready -> open = true));
    }

    /** Serves other nodes, whose parameters are not validated yet. */
    private Future<LogPart> read(ReadLog asked) {
        boolean plain = RunId.isValid(asked.runId())
                && Ids.isPlain(asked.stepId())
                && LogRoute.STREAMS.contains(asked.stream())
                && asked.offset() >= 0
                && asked.length() >= 0
                && asked.length() <= ReadLog.MOST;
        StepLog log = StepLog.of(options.dataFolder(), asked.runId(), asked.stepId(), asked.stream());
        return plain
                ? vertx.executeBlocking(() -> log.part(asked.offset(), asked.length()), false)
                : Future.failedFuture(new IllegalArgumentException("invalid log parameters"));
    }

    private HttpServerOptions serverOptions() {
        // No HTTP/2 without TLS, which Java's client would request. No compression, which would have to be done
        // for each client of the feed. A request line may name hundreds of runs.
        HttpServerOptions serving = new HttpServerOptions()
                .setHttp2ClearTextEnabled(false)
                .setWebSocketSubProtocols(List.of(Access.PROTOCOL))
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                // The feed has its own closing timeout; Vert.x would start another one.
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

    /** Returns the server's URL, e.g. {@code http://127.0.0.1:8080}. Call after the start. */
    public String url() {
        String host = options.host().contains(":") ? "[" + options.host() + "]" : options.host();
        String scheme = options.admission().tls().isPresent() ? "https://" : "http://";
        return scheme + host + ":" + server.actualPort();
    }

    /** Returns the actual port. Call after the start. */
    public int port() {
        return server.actualPort();
    }

    /** Returns the number of event listeners: the feed, and each client that waits. */
    int listeners() {
        return events.listeners();
    }

    /** Returns the number of open connections. */
    int connections() {
        return guard.connections();
    }

    /** Returns the number of feed clients. */
    int feedClients() {
        return feed.clients();
    }

    @Override
    public Future<?> stop() {
        if (waits == null) {
            return Future.succeededFuture();
        }
        open = false;
        waits.close();
        return feed.close()
                .eventually(() -> server == null ? Future.succeededFuture() : server.close())
                .eventually(exporters::close);
    }
}
