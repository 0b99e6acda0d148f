package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.session.ArgumentGroup;
import dev.loopkeeper.cli.session.Arguments;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.embed.LoopkeeperOptions;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The options that make {@code serve} a node of a cluster, and by which {@code doctor} looks at one. Without {@code --store} no class of a cluster is loaded:
 * whoever reads the options loads what the methods here name.
 */
final class ServeCluster implements ArgumentGroup {
    private String store;
    private Path passwordFile;
    private Path authorities;
    private boolean insecure;
    private String node;
    private List<Path> roots;
    private String lease;
    private String cluster;
    private String clusterBind;
    private Path clusterCertificate;
    private Path clusterKey;
    private Path clusterTrust;

    @Override
    public Arguments addTo(Arguments arguments) {
        return arguments
                .option(
                        "--store",
                        "URL",
                        "Share the runs of this PostgreSQL database with other nodes: postgresql://user@host:5432/name.")
                .text(value -> store = value)
                .option(
                        "--store-password-file",
                        "FILE",
                        "Its password, alone in a file; or in the variable LOOPKEEPER_STORE_PASSWORD.")
                .path(value -> passwordFile = value)
                .option(
                        "--store-ca",
                        "FILE",
                        "Who may sign its certificate (PEM); default whom Java trusts. Given, a local one has to use TLS too.")
                .path(value -> authorities = value)
                .flag(
                        "--insecure-store",
                        "Connect to a database on another host without TLS: only over a private network or a tunnel.",
                        value -> insecure = value)
                .option("--node", "NAME", "Name of this node; default the host's name.")
                .text(value -> node = value)
                .option(
                        "--shared-root",
                        "DIR",
                        "Runs in workspaces below this folder, which all nodes see, go to any node; may be repeated.")
                .split(":")
                .paths(value -> roots = value)
                .option(
                        "--lease",
                        "DURATION",
                        "How long the others wait for this node when it is silent, 6s to 5m; default 8s.")
                .text(value -> lease = value)
                .option(
                        "--cluster",
                        "MEMBERS",
                        "Join these nodes by an event bus too, host:port,host:port; default the database alone.")
                .text(value -> cluster = value)
                .option(
                        "--cluster-bind",
                        "HOST[:PORT]",
                        "Where the bus finds this node; default the one member that is this machine.")
                .text(value -> clusterBind = value)
                .option(
                        "--cluster-tls-certificate",
                        "FILE",
                        "What this node shows to the others on the bus (PEM); needed beyond this machine.")
                .path(value -> clusterCertificate = value)
                .option("--cluster-tls-key", "FILE", "Its private key (PEM, PKCS#8, no password).")
                .path(value -> clusterKey = value)
                .option(
                        "--cluster-tls-trust",
                        "FILE",
                        "Who may sign the certificates of nodes on the bus (PEM); nobody else is let in.")
                .path(value -> clusterTrust = value);
    }

    /**
     * The same options for a node, where this is to be one.
     *
     * @param url where it serves, empty until that is known
     */
    LoopkeeperOptions over(
            Vertx vertx, LoopkeeperOptions options, Map<String, String> environment, Supplier<String> url) {
        return store == null ? options : node().member(vertx, options, environment, url);
    }

    /** Refuses what {@link #over} would refuse. */
    void check(Map<String, String> environment) {
        if (store == null) {
            checkAlone();
        } else {
            node().check(environment);
        }
    }

    /** Refuses options of a node without the store that makes one. */
    void checkAlone() {
        if (store != null) {
            return;
        }
        Optional<String> alone = Stream.of(
                        given("--node", node != null),
                        given("--shared-root", roots != null),
                        given("--lease", lease != null),
                        given("--store-password-file", passwordFile != null),
                        given("--store-ca", authorities != null),
                        given("--insecure-store", insecure),
                        given("--cluster", cluster != null),
                        given("--cluster-bind", clusterBind != null),
                        given("--cluster-tls-certificate", clusterCertificate != null),
                        given("--cluster-tls-key", clusterKey != null),
                        given("--cluster-tls-trust", clusterTrust != null))
                .flatMap(Optional::stream)
                .findFirst();
        if (alone.isPresent()) {
            throw CommandFailure.refused(alone.get() + " needs --store: without it there is no cluster");
        }
    }

    /** What the node would rest on; empty where this is to be none. Blocks. */
    List<MachineCheck> checks(Vertx vertx, Path dataFolder, Map<String, String> environment) {
        return store == null ? List.of() : new NodeChecks(vertx, dataFolder, environment).of(this::node);
    }

    private static Optional<String> given(String option, boolean is) {
        return Optional.of(option).filter(name -> is);
    }

    private ServeNode node() {
        return new ServeNode(
                store,
                Optional.ofNullable(passwordFile),
                Optional.ofNullable(authorities),
                insecure,
                Optional.ofNullable(node),
                roots == null ? List.of() : roots,
                Optional.ofNullable(lease),
                bus());
    }

    private Optional<ServeBus> bus() {
        if (cluster != null) {
            return Optional.of(new ServeBus(
                    cluster,
                    Optional.ofNullable(clusterBind),
                    new ServeBus.Files(
                            Optional.ofNullable(clusterCertificate),
                            Optional.ofNullable(clusterKey),
                            Optional.ofNullable(clusterTrust))));
        }
        Optional<String> alone = Stream.of(
                        given("--cluster-bind", clusterBind != null),
                        given("--cluster-tls-certificate", clusterCertificate != null),
                        given("--cluster-tls-key", clusterKey != null),
                        given("--cluster-tls-trust", clusterTrust != null))
                .flatMap(Optional::stream)
                .findFirst();
        if (alone.isPresent()) {
            throw CommandFailure.refused(alone.get() + " needs --cluster: without it there is no bus");
        }
        return Optional.empty();
    }
}
