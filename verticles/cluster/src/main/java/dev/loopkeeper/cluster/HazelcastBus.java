package dev.loopkeeper.cluster;

import com.hazelcast.config.Config;
import com.hazelcast.config.MultiMapConfig;
import com.hazelcast.config.TcpIpConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the clustered Vert.x of a node whose engine has none. It is separate from the engine's Vert.x, so that no
 * peer reaches the engine's channels and the engine starts without waiting for peers. No other class uses Hazelcast.
 */
public final class HazelcastBus implements Callable<Future<Vertx>> {
    private static final Logger LOG = LoggerFactory.getLogger(HazelcastBus.class);
    private static final String LOGGING = "hazelcast.logging.type";
    private static final int PATIENCE_MILLIS = 1000;
    private static final int JOIN_SECONDS = 2;

    /**
     * Overrides of Hazelcast's defaults: no discovery, no phoning home, few threads, and a short time until a split is
     * noticed.
     */
    private static final Map<String, String> PROPERTIES = Map.ofEntries(
            Map.entry("hazelcast.phone.home.enabled", "false"),
            Map.entry("hazelcast.socket.bind.any", "false"),
            Map.entry(LOGGING, "slf4j"),
            Map.entry("hazelcast.shutdownhook.enabled", "false"),
            Map.entry("hazelcast.graceful.shutdown.max.wait", "2"),
            Map.entry("hazelcast.wait.seconds.before.join", "0"),
            Map.entry("hazelcast.heartbeat.interval.seconds", "1"),
            Map.entry("hazelcast.max.no.heartbeat.seconds", "5"),
            Map.entry("hazelcast.merge.first.run.delay.seconds", "5"),
            Map.entry("hazelcast.merge.next.run.delay.seconds", "5"),
            Map.entry("hazelcast.operation.thread.count", "2"),
            Map.entry("hazelcast.operation.generic.thread.count", "2"),
            Map.entry("hazelcast.event.thread.count", "1"),
            Map.entry("hazelcast.io.thread.count", "1"),
            Map.entry("hazelcast.partition.count", "31"));

    private final BusOptions options;
    private boolean checked;

    public HazelcastBus(BusOptions options) {
        this.options = options;
    }

    /** Joins the cluster and blocks for a while. May be called again after a failure. */
    @Override
    public synchronized Future<Vertx> call() {
        if (!checked) {
            checked = true;
            options.members().forEach(HazelcastBus::warnIfUnknown);
        }
        if (System.getProperty(LOGGING) == null) {
            // Some Hazelcast classes log before they read the configuration.
            Object unused = System.setProperty(LOGGING, "slf4j");
        }
        return Vertx.builder()
                .with(new VertxOptions()
                        .setEventLoopPoolSize(1)
                        .setWorkerPoolSize(2)
                        .setInternalBlockingPoolSize(4)
                        .setFileSystemOptions(new FileSystemOptions()
                                .setFileCachingEnabled(false)
                                .setClassPathResolvingEnabled(false))
                        .setEventBusOptions(messages()))
                .withClusterManager(new HazelcastClusterManager(membership()))
                .buildClustered();
    }

    /** The name may become known later, so an unknown host does not refuse the start. */
    private static void warnIfUnknown(BusAddress member) {
        try {
            Object unused = InetAddress.getByName(member.host());
        } catch (UnknownHostException unknown) {
            LOG.warn(
                    "the host of {}, a member of the cluster's event bus, is unknown: check its name in the list of"
                            + " members; until the name is known, requests to that node go through the database only",
                    member);
        }
    }

    private EventBusOptions messages() {
        EventBusOptions bus = new EventBusOptions()
                .setHost(options.bind().host())
                .setPort(options.messagePort())
                .setClusterPublicHost(options.bind().host())
                .setClusterPublicPort(options.messagePort())
                .setConnectTimeout(PATIENCE_MILLIS)
                .setClusterPingInterval(PATIENCE_MILLIS)
                .setClusterPingReplyInterval(PATIENCE_MILLIS)
                .setTrustAll(false);
        options.tls()
                .ifPresent(tls -> bus.setSsl(true)
                        .setClientAuth(ClientAuth.REQUIRED)
                        .setKeyCertOptions(new PemKeyCertOptions()
                                .setCertPath(tls.certificate().toString())
                                .setKeyPath(tls.key().toString()))
                        .setTrustOptions(
                                new PemTrustOptions().addCertPath(tls.trust().toString())));
        return bus;
    }

    private Config membership() {
        Config config = new Config();
        config.setClusterName("loopkeeper");
        // The thread's class loader may not see Hazelcast's classes.
        config.setClassLoader(HazelcastBus.class.getClassLoader());
        PROPERTIES.forEach(config::setProperty);
        // Settings that Vert.x requires for its own maps.
        Object unusedSubscriptions = config.getMultiMapConfig("__vertx.subs")
                .setBackupCount(1)
                .setValueCollectionType(MultiMapConfig.ValueCollectionType.SET);
        Object unusedMembers = config.getMapConfig("__vertx.nodeInfo").setBackupCount(1);
        var network = config.getNetworkConfig().setPort(options.bind().port()).setPortAutoIncrement(false);
        network.setPublicAddress(options.bind().toString());
        // Without this, Hazelcast rejects an address that no network interface lists but that can be bound.
        config.setProperty("hazelcast.local.localAddress", options.bind().host());
        network.getJoin().getMulticastConfig().setEnabled(false);
        network.getJoin().getAutoDetectionConfig().setEnabled(false);
        TcpIpConfig known =
                network.getJoin().getTcpIpConfig().setEnabled(true).setConnectionTimeoutSeconds(JOIN_SECONDS);
        options.members().forEach(member -> known.addMember(member.toString()));
        return config;
    }
}
