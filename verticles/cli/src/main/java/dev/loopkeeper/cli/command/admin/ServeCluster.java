package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.contract.SecretFiles;
import dev.loopkeeper.embed.LoopkeeperOptions;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/**
 * The options that make {@code serve} a node of a cluster, which {@code doctor} also checks. Without {@code --store} no
 * class of a cluster is loaded: loading this class also loads the classes in its method signatures.
 */
final class ServeCluster {
    @Option(
            names = "--store",
            paramLabel = "URL",
            description = "PostgreSQL database that holds the runs of all nodes: postgresql://user@host:5432/name.")
    private String store;

    @Option(
            names = "--store-password-file",
            paramLabel = "FILE",
            description = "File with the password; or set LOOPKEEPER_STORE_PASSWORD.")
    private Path passwordFile;

    @Option(
            names = "--store-ca",
            paramLabel = "FILE",
            description =
                    "Authority that signs the database's certificate (PEM); default: those of Java. A local one must use TLS too then.")
    private Path authorities;

    @Option(
            names = "--insecure-store",
            fallbackValue = "true",
            description = "Connect to a database on another host without TLS. Only for a private network or a tunnel.")
    private boolean insecure;

    @Option(names = "--node", paramLabel = "NAME", description = "Name of this node; default the host's name.")
    private String node;

    @Option(
            names = "--shared-root",
            paramLabel = "DIR",
            split = ":",
            description = "Any node may run a workspace below this folder, which all nodes see; repeatable.")
    private List<Path> roots;

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            description = "How long other nodes wait for this one when it is silent, 6s to 5m; default 8s.")
    private String lease;

    @Option(
            names = "--cluster",
            paramLabel = "MEMBERS",
            description = "Also connect these nodes by an event bus, host:port,host:port; default: the database alone.")
    private String cluster;

    @Option(
            names = "--cluster-bind",
            paramLabel = "HOST[:PORT]",
            description = "Address of this node on the bus; default: the one member that is this machine.")
    private String clusterBind;

    @Option(
            names = "--cluster-tls-certificate",
            paramLabel = "FILE",
            description = "Certificate of this node (PEM); required for nodes on other machines.")
    private Path clusterCertificate;

    @Option(
            names = "--cluster-tls-key",
            paramLabel = "FILE",
            description = "Its private key (PEM, PKCS#8, no password).")
    private Path clusterKey;

    @Option(
            names = "--cluster-tls-trust",
            paramLabel = "FILE",
            description = "Authority that signs certificates of nodes (PEM); other nodes are refused.")
    private Path clusterTrust;

    /**
     * Returns the options of a node if {@code --store} is given, otherwise the same options.
     *
     * @param url URL of the server; empty until it is known
     */
    LoopkeeperOptions over(
            Vertx vertx, LoopkeeperOptions options, Map<String, String> environment, Supplier<String> url) {
        Stream.of(passwordFile, clusterKey).filter(Objects::nonNull).forEach(file -> SecretFiles.hide(vertx, file));
        return store == null ? options : node().member(vertx, options, environment, url);
    }

    /** Checks the options that {@link #over} uses, with the same refusals. */
    void check(Map<String, String> environment) {
        if (store == null) {
            checkAlone();
        } else {
            node().check(environment);
        }
    }

    /** Refuses options of a node if {@code --store} is missing. */
    void checkAlone() {
        if (store != null) {
            return;
        }
        Stream<Optional<String>> ofStore = Stream.of(
                given("--node", node != null),
                given("--shared-root", roots != null),
                given("--lease", lease != null),
                given("--store-password-file", passwordFile != null),
                given("--store-ca", authorities != null),
                given("--insecure-store", insecure),
                given("--cluster", cluster != null));
        refuseFirst(Stream.concat(ofStore, ofBus()), " needs --store: without it there is no cluster");
    }

    /** Checks what the node would depend on; empty without {@code --store}. Blocks. */
    List<MachineCheck> checks(Vertx vertx, Path dataFolder, Map<String, String> environment) {
        return store == null ? List.of() : new NodeChecks(vertx, dataFolder, environment).of(this::node);
    }

    private Stream<Optional<String>> ofBus() {
        return Stream.of(
                given("--cluster-bind", clusterBind != null),
                given("--cluster-tls-certificate", clusterCertificate != null),
                given("--cluster-tls-key", clusterKey != null),
                given("--cluster-tls-trust", clusterTrust != null));
    }

    private static void refuseFirst(Stream<Optional<String>> given, String why) {
        given.flatMap(Optional::stream).findFirst().ifPresent(option -> {
            throw CommandFailure.refused(option + why);
        });
    }

    private static Optional<String> given(String option, boolean is) {
        return Optional.of(option).filter(name -> is);
    }

    private ServeNode node() {
        return new ServeNode(
                new ServeStore(store, Optional.ofNullable(passwordFile), Optional.ofNullable(authorities), insecure),
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
        refuseFirst(ofBus(), " needs --cluster: without it there is no bus");
        return Optional.empty();
    }
}
