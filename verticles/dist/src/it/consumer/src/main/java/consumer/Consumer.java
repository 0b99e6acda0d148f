package consumer;

import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.RunOptions;
import dev.loopkeeper.gateway.Gateway;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.view.Run;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocketConnectOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What a stranger writes first. */
public final class Consumer {
    private Consumer() {}

    public static Future<Run> execute(Vertx vertx, Path data, Path manifest) {
        Gateway gateway = new Gateway(GatewayOptions.loopback(0, data));
        return Loopkeeper.start(vertx, LoopkeeperOptions.of(data).with(gateway))
                .compose(keeper -> snapshot(vertx, gateway.url().orElseThrow())
                        .compose(runs -> keeper.submit(manifest, RunOptions.DEFAULTS))
                        .compose(submitted -> keeper.awaitEnd(submitted.runId(), Duration.ofMinutes(10)))
                        .eventually(keeper::close));
    }

    /** The first message of the live feed. */
    private static Future<String> snapshot(Vertx vertx, String url) {
        Promise<String> first = Promise.promise();
        WebSocketConnectOptions feed =
                new WebSocketConnectOptions().setAbsoluteURI(url.replaceFirst("http", "ws") + "/api/v1/feed");
        vertx.createWebSocketClient().connect(feed).onFailure(first::tryFail).onSuccess(socket -> {
            socket.closeHandler(closed -> first.tryFail("the feed closed before its first message"));
            socket.textMessageHandler(message -> {
                first.tryComplete(message);
                socket.close();
            });
        });
        return first.future();
    }

    private static void requireVersion(String library, String resolved, String built) {
        if (!resolved.equals(built)) {
            throw new IllegalStateException(library + " is " + resolved + ", Loopkeeper is built with " + built);
        }
    }

    /**
     * The folder that is given gets a data folder and a manifest, and a run of it must complete. The versions that are given
     * are those of Jackson and Netty in the build of Loopkeeper, and must be those of this project.
     */
    public static void main(String[] arguments) throws Exception {
        requireVersion("jackson-core", com.fasterxml.jackson.core.json.PackageVersion.VERSION.toString(), arguments[1]);
        requireVersion("jackson-databind", com.fasterxml.jackson.databind.cfg.PackageVersion.VERSION.toString(), arguments[1]);
        requireVersion("netty-common", io.netty.util.Version.identify().get("netty-common").artifactVersion(), arguments[2]);
        Path folder = Files.createTempDirectory(Files.createDirectories(Path.of(arguments[0])), "run");
        Path manifest = Files.writeString(folder.resolve("greet.yaml"), """
                name: greet
                agents: {greeter: {command: [echo, hello], timeout: 1m}}
                phases: [{name: greet, task: greeter}]
                """);
        Vertx vertx = Vertx.vertx();
        try {
            Run run = execute(vertx, folder.resolve("data"), manifest)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(5, TimeUnit.MINUTES);
            if (run.status() != RunStatus.COMPLETED) {
                throw new IllegalStateException("the run is " + run.status());
            }
            System.out.println("consumer: " + run.runId() + " is completed");
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(1, TimeUnit.MINUTES);
        }
    }
}
