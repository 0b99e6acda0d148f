package dev.loopkeeper.gateway;

import dev.loopkeeper.contract.OpenServer;
import dev.loopkeeper.contract.SecretFiles;
import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.ServerAddress;
import dev.loopkeeper.data.ServerFile;
import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.embed.LoopkeeperPart;
import dev.loopkeeper.gateway.access.CannotServeException;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.metrics.MetricsVerticle;
import dev.loopkeeper.submit.Submissions;
import dev.loopkeeper.work.Workers;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Serves HTTP and metrics as a part of a {@code Loopkeeper}, and writes the file by which client commands find it.
 *
 * <pre>{@code
 * Gateway gateway = new Gateway(GatewayOptions.loopback(7420, dataFolder));
 * Loopkeeper.start(vertx, LoopkeeperOptions.of(dataFolder).with(gateway));
 * }</pre>
 */
public final class Gateway implements LoopkeeperPart {
    private static final int WORKERS = 2;

    private final GatewayOptions options;
    private final Deque<Supplier<Future<?>>> cleanups = new ArrayDeque<>();
    private Optional<String> url = Optional.empty();
    private final Optional<MountedRouter> mount;
    private GatewayVerticle gateway;

    /** @param options address, access and limits */
    public Gateway(GatewayOptions options) {
        this(options, Optional.empty());
    }

    private Gateway(GatewayOptions options, Optional<MountedRouter> mount) {
        this.options = options;
        this.mount = mount;
    }

    /**
     * Returns all that the gateway serves, for a sub-path of your own server, e.g. {@code
     * root.route("/loops/*").subRouter(router)}. Call it in the context of the one server that serves the router: its
     * verticle's {@code start}, or the same thread outside Vert.x. It answers 503 until it is ready, and after {@code
     * close()}.
     *
     * @param options without use of host, port and TLS; without tokens and {@code AuthenticationHandler} only clients
     *     on this machine are served
     */
    public static Router router(Vertx vertx, Loopkeeper keeper, GatewayOptions options) {
        MountedRouter mount = new MountedRouter(vertx);
        keeper.attach(new Gateway(options, Optional.of(mount))).onFailure(mount::failed);
        return mount.router();
    }

    /** Returns the server's URL, e.g. {@code http://127.0.0.1:7420}; absent before the start. */
    public Optional<String> url() {
        return url;
    }

    /** Fails with {@link CannotServeException}. */
    @Override
    public Future<Void> check(Vertx vertx) {
        return allowed(vertx).compose(allowed -> mount.isPresent() ? Future.succeededFuture() : probePort(vertx));
    }

    /** Checks the options, but not whether the address is in use. Fails with {@link CannotServeException}. */
    public Future<Void> allowed(Vertx vertx) {
        return GatewayVerticle.check(vertx, options);
    }

    @Override
    public Future<Void> prepare(Host host) {
        options.admission().tokenFile().ifPresent(file -> SecretFiles.hide(host.vertx(), file));
        options.admission().tls().ifPresent(files -> SecretFiles.hide(host.vertx(), files.key()));
        return deploy(host, new MetricsVerticle(host.store(), host.dataFolder(), host.isOwn(), options.meters()))
                .compose(counting -> listen(host));
    }

    private Future<Void> probePort(Vertx vertx) {
        if (options.port() == 0) {
            return Future.succeededFuture();
        }
        return vertx.<Void>executeBlocking(
                        () -> {
                            bind(options.host(), options.port());
                            return null;
                        },
                        false)
                .recover(cause -> Future.failedFuture(taken(options, cause)));
    }

    /** Binds without listening: a client that connects now would be accepted and then cut off. */
    private static void bind(String host, int port) throws IOException {
        try (SocketChannel probe = SocketChannel.open()) {
            // Like servers, so that closing connections of an ended server do not block the port.
            probe.setOption(StandardSocketOptions.SO_REUSEADDR, true).bind(new InetSocketAddress(host, port));
        } catch (UnresolvedAddressException unknown) {
            throw new UnknownHostException(host);
        }
    }

    private static CannotServeException taken(GatewayOptions where, Throwable cause) {
        return new CannotServeException(where.host(), where.port(), CannotServeException.unbound(cause), cause);
    }

    /** Listens before open runs are loaded, which may take a while, so that probes see that the server is alive. */
    private Future<Void> listen(Host host) {
        WorkerExecutor workers = Workers.of(host.vertx(), "loopkeeper-intake", WORKERS);
        cleanups.push(workers::close);
        Submissions submissions = Submissions.on(host.vertx(), workers, System.getenv());
        GatewayPorts ports = new GatewayPorts(host.store(), submissions::fromDocument, host.draining(), host.maxRuns());
        gateway = new GatewayVerticle(options, ports, mount.map(MountedRouter::router));
        mount.ifPresent(mounted -> cleanups.push(() -> mounted.close(gateway)));
        return mount.map(mounted -> mounted.deploy(gateway)).orElseGet(() -> deploy(host, gateway));
    }

    private Future<Void> deploy(Host host, VerticleBase verticle) {
        return host.vertx().deployVerticle(verticle).map(id -> {
            cleanups.push(() -> host.vertx().undeploy(id));
            return null;
        });
    }

    @Override
    public Future<Void> start(Host host) {
        return gateway.open()
                .compose(answering -> mount.isPresent() ? Future.succeededFuture() : announce(host, gateway.url()))
                .onSuccess(ready -> mount.ifPresent(MountedRouter::open));
    }

    private Future<Void> announce(Host host, String served) {
        Optional<String> certificate = options.admission()
                .tls()
                .map(files -> files.certificate().toAbsolutePath().normalize().toString());
        Optional<String> secret = options.admission().tokenFile().isPresent()
                ? Optional.empty()
                : Optional.of(OpenServer.secret(host.vertx()));
        ServerAddress address =
                new ServerAddress(served, ProcessHandle.current().pid(), Instant.now(), certificate, secret);
        ServerFile file = new DataFolder(host.dataFolder()).serverFile();
        cleanups.push(() -> blocking(host.vertx(), file::remove));
        return blocking(host.vertx(), () -> file.write(address)).onSuccess(written -> url = Optional.of(served));
    }

    private static Future<Void> blocking(Vertx vertx, Runnable work) {
        return vertx.executeBlocking(Executors.callable(work, null), false);
    }

    /** Stops the parts in reverse order; a failure does not keep the others from being stopped. */
    @Override
    public Future<Void> stop() {
        Future<Void> all = Future.succeededFuture();
        while (!cleanups.isEmpty()) {
            Supplier<Future<?>> cleanup = cleanups.pop();
            all = all.eventually(cleanup::get);
        }
        return all;
    }
}
