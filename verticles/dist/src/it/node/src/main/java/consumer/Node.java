package consumer;

import dev.loopkeeper.cluster.ClusterNode;
import dev.loopkeeper.cluster.ClusterOptions;
import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.RunOptions;
import dev.loopkeeper.gateway.Gateway;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.postgres.PostgresOptions;
import dev.loopkeeper.view.Run;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A node of a cluster with its API, in a program of a stranger's own. */
public final class Node {
    private static final String MANIFEST = """
            name: greet
            agents: {greeter: {command: [echo, hello], timeout: 1m}}
            phases: [{name: greet, task: greeter}]
            """;

    private Node() {}

    public static PostgresOptions database(String url, String password) {
        return PostgresOptions.of(url).password(password);
    }

    public static Future<Loopkeeper> start(Vertx vertx, Path data, ClusterOptions cluster) {
        LoopkeeperOptions options = ClusterNode.member(vertx, LoopkeeperOptions.of(data), cluster);
        return Loopkeeper.start(vertx, options.with(new Gateway(GatewayOptions.loopback(0, data))));
    }

    /** A run of a node must complete, its record being in a real PostgreSQL whose files lie in the folder that is given. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createTempDirectory(Files.createDirectories(Path.of(arguments[0])), "node");
        Vertx vertx = Vertx.vertx();
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(folder.toFile())
                // Its own defaults are those of tests, and a database that may forget is refused.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .start()) {
            try (Connection connection = server.getPostgresDatabase().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE DATABASE loopkeeper TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'");
            }
            PostgresOptions database =
                    PostgresOptions.of("postgresql://postgres@127.0.0.1:" + server.getPort() + "/loopkeeper");
            ClusterOptions cluster =
                    new ClusterOptions("stranger", database, LeaseTerms.DEFAULTS, List.of(), () -> "", 0);
            Run run = start(vertx, folder.resolve("data"), cluster)
                    .compose(keeper -> keeper.submit(MANIFEST, RunOptions.DEFAULTS.workspace(folder))
                            .compose(submitted -> keeper.awaitEnd(submitted.runId(), Duration.ofMinutes(4)))
                            .eventually(keeper::close))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(5, TimeUnit.MINUTES);
            if (run.status() != RunStatus.COMPLETED) {
                throw new IllegalStateException("the run is " + run.status());
            }
            System.out.println("node: " + run.runId() + " is completed");
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(1, TimeUnit.MINUTES);
        }
    }
}
