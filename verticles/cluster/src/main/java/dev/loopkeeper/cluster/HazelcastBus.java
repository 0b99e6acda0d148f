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
 * The clustered Vert.x of a node that is given none: apart from that of the engine, so that no peer reaches a channel of
 * the engine, and so that the engine starts without waiting for it. Nobody else names Hazelcast.
 */
public final class HazelcastBus implements Callable<Future<Vertx>> {
    private static final Logger LOG = LoggerFactory.getLogger(HazelcastBus.class);
    private static final String LOGGING = "hazelcast.logging.type";
    private static final int PATIENCE_MILLIS = 1000;
    private static final int JOIN_SECONDS = 2;

    /** All that its own settings say otherwise: nothing found by itself, nothing called home, a split noticed soon. */
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

    /** Joins; blocks for a while. May be called again where that failed. */
    @Override
    public synchronized Future<Vertx> call() {
        if (!checked) {
            checked = true;
            options.members().forEach(HazelcastBus::warnIfUnknown);
        }
        if (System.getProperty(LOGGING) == null) {
            // Some of it logs before it reads its settings.
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

    /** The name of a machine that is not there yet may become known, so this is no reason to refuse a start. */
    private static void warnIfUnknown(BusAddress member) {
        try {
            Object unused = InetAddress.getByName(member.host());
        } catch (UnknownHostException unknown) {
            LOG.warn(
                    "the host of {}, a member of the cluster's event bus, is unknown: check its name in the list of"
                            + " members; until the name is known that node is reached by the database alone",
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
        // Hazelcast may be loaded apart, where the current thread and the program find nothing of it.
        config.setClassLoader(HazelcastBus.class.getClassLoader());
        PROPERTIES.forEach(config::setProperty);
        // What Vert.x keeps in there, as it wants it.
        Object unusedSubscriptions = config.getMultiMapConfig("__vertx.subs")
                .setBackupCount(1)
                .setValueCollectionType(MultiMapConfig.ValueCollectionType.SET);
        Object unusedMembers = config.getMapConfig("__vertx.nodeInfo").setBackupCount(1);
        var network = config.getNetworkConfig().setPort(options.bind().port()).setPortAutoIncrement(false);
        network.setPublicAddress(options.bind().toString());
        // By its interfaces it would not take an address that none of them lists, which can be bound all the same.
        config.setProperty("hazelcast.local.localAddress", options.bind().host());
        network.getJoin().getMulticastConfig().setEnabled(false);
        network.getJoin().getAutoDetectionConfig().setEnabled(false);
        TcpIpConfig known =
                network.getJoin().getTcpIpConfig().setEnabled(true).setConnectionTimeoutSeconds(JOIN_SECONDS);
        options.members().forEach(member -> known.addMember(member.toString()));
        return config;
    }
}
