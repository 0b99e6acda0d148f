package consumer;

import dev.loopkeeper.cluster.ClusterNode;
import dev.loopkeeper.cluster.ClusterOptions;
import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.Gateway;
import dev.loopkeeper.gateway.GatewayOptions;
import dev.loopkeeper.store.postgres.PostgresOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;

/** A node of a cluster with its API, in a program of a stranger's own. */
public final class Node {
    private Node() {}

    public static PostgresOptions database(String url, String password) {
        return PostgresOptions.of(url).password(password);
    }

    public static Future<Loopkeeper> start(Vertx vertx, Path data, ClusterOptions cluster) {
        LoopkeeperOptions options = ClusterNode.member(vertx, LoopkeeperOptions.of(data), cluster);
        return Loopkeeper.start(vertx, options.with(new Gateway(GatewayOptions.loopback(0, data))));
    }
}
