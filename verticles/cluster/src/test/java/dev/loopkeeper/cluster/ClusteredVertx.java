package dev.loopkeeper.cluster;

import com.hazelcast.config.Config;
import com.hazelcast.config.TcpIpConfig;
import dev.loopkeeper.FreePorts;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.spi.cluster.hazelcast.ConfigUtil;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** Nodes of one clustered Vert.x in this JVM, on loopback and among themselves. */
final class ClusteredVertx {
    private static final String LOOPBACK = InetAddress.getLoopbackAddress().getHostAddress();
    private static final String SECONDS = "5";

    private ClusteredVertx() {}

    /** So many nodes, which have all joined. */
    static Future<List<Vertx>> of(int nodes) {
        List<Integer> ports =
                IntStream.range(0, nodes).mapToObj(node -> FreePorts.next()).toList();
        String name = UUID.randomUUID().toString();
        List<Vertx> joined = new ArrayList<>();
        Future<?> all = Future.succeededFuture();
        for (int port : ports) {
            all = all.compose(before -> node(name, port, ports)).onSuccess(joined::add);
        }
        return all.map(done -> joined);
    }

    private static Future<Vertx> node(String name, int port, List<Integer> ports) {
        VertxOptions options = new VertxOptions().setEventBusOptions(new EventBusOptions().setHost(LOOPBACK));
        return Vertx.builder()
                .with(options)
                .withClusterManager(new HazelcastClusterManager(config(name, port, ports)))
                .buildClustered();
    }

    private static Config config(String name, int port, List<Integer> ports) {
        Config config = ConfigUtil.loadConfig();
        config.setClusterName(name);
        config.setProperty("hazelcast.phone.home.enabled", "false")
                .setProperty("hazelcast.socket.bind.any", "false")
                .setProperty("hazelcast.logging.type", "slf4j")
                .setProperty("hazelcast.shutdownhook.enabled", "false")
                .setProperty("hazelcast.wait.seconds.before.join", "0")
                .setProperty("hazelcast.merge.first.run.delay.seconds", SECONDS)
                .setProperty("hazelcast.merge.next.run.delay.seconds", SECONDS);
        var network = config.getNetworkConfig().setPort(port).setPortAutoIncrement(false);
        network.getInterfaces().setEnabled(true).addInterface(LOOPBACK);
        network.getJoin().getMulticastConfig().setEnabled(false);
        network.getJoin().getAutoDetectionConfig().setEnabled(false);
        TcpIpConfig members = network.getJoin().getTcpIpConfig().setEnabled(true);
        ports.forEach(member -> members.addMember(LOOPBACK + ":" + member));
        return config;
    }
}
