package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cluster.ClusterNode;
import dev.loopkeeper.cluster.ClusterOptions;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.manifest.read.DurationText;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.store.postgres.PostgresOptions;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The options of {@code serve} that make it a node of a cluster. Without {@code --store} no class of a cluster is loaded. */
final class ServeCluster {
    private static final String PASSWORD = "LOOPKEEPER_STORE_PASSWORD";
    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    @Option(
            names = "--store",
            paramLabel = "URL",
            description =
                    "Share the runs of this PostgreSQL database with other nodes: postgresql://user@host:5432/name.")
    private String store;

    @Option(
            names = "--store-password-file",
            paramLabel = "FILE",
            description = "Its password, alone in a file; or in the variable LOOPKEEPER_STORE_PASSWORD.")
    private Path passwordFile;

    @Option(
            names = "--insecure-store",
            description =
                    "Connect to a database on another host, without TLS: only over a private network or a tunnel.")
    private boolean insecure;

    @Option(names = "--node", paramLabel = "NAME", description = "Name of this node; default the host's name.")
    private String node;

    @Option(
            names = "--shared-root",
            paramLabel = "DIR",
            split = ":",
            description = "Runs in workspaces below this folder, which all nodes see, go to any node; may be repeated.")
    private List<Path> roots;

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            description = "How long a silent node is waited for, 6s to 5m; default 8s, the same on all nodes.")
    private String lease;

    /**
     * The same options for a node, where this is to be one.
     *
     * @param url where it serves, empty until that is known
     */
    LoopkeeperOptions over(
            Vertx vertx, LoopkeeperOptions options, Map<String, String> environment, Supplier<String> url) {
        if (store == null) {
            return options;
        }
        return ClusterNode.member(
                vertx,
                options,
                new ClusterOptions(
                        name(environment), database(environment), terms(), shared(), url, options.maxRuns()));
    }

    /** Refuses what {@link #over} would refuse. */
    void check(Map<String, String> environment) {
        if (store == null) {
            Optional<String> alone = Stream.of(
                            given("--node", node != null),
                            given("--shared-root", roots != null),
                            given("--lease", lease != null),
                            given("--store-password-file", passwordFile != null),
                            given("--insecure-store", insecure))
                    .flatMap(Optional::stream)
                    .findFirst();
            if (alone.isPresent()) {
                throw CommandFailure.refused(alone.get() + " needs --store: without it there is no cluster");
            }
            return;
        }
        Object unused = List.of(name(environment), database(environment), terms(), shared());
    }

    private static Optional<String> given(String option, boolean is) {
        return Optional.of(option).filter(name -> is);
    }

    private String name(Map<String, String> environment) {
        String name = node == null ? hostName(environment) : node;
        if (!name.matches(ClusterOptions.NAME)) {
            throw CommandFailure.refused(
                    "--node must be 1 to 63 letters, digits, '.', '_' and '-', was '" + Words.oneLine(name) + "'");
        }
        return name;
    }

    private static String hostName(Map<String, String> environment) {
        try {
            return Files.readString(HOST_NAME).strip();
        } catch (IOException unknown) {
            return environment.getOrDefault("HOSTNAME", "");
        }
    }

    private PostgresOptions database(Map<String, String> environment) {
        URI address = address();
        if (!insecure && !LOOPBACK.contains(address.getHost())) {
            throw CommandFailure.refused(
                    "--store names another host, " + Words.oneLine(address.getHost())
                            + ", and this version connects without TLS; use a private network or a tunnel and say --insecure-store");
        }
        PostgresOptions options = PostgresOptions.of(address.toString());
        return password(environment).map(options::password).orElse(options);
    }

    /** Nothing of what was given is repeated: it may hold a password. */
    private URI address() {
        try {
            URI address = new URI(store);
            String user = Optional.ofNullable(address.getRawUserInfo()).orElse("");
            boolean asParameter =
                    address.getRawQuery() != null && address.getRawQuery().contains("password");
            if (user.contains(":") || asParameter) {
                throw CommandFailure.refused(
                        "--store must not hold a password, which lists of processes show; put it into " + PASSWORD
                                + " or a file for --store-password-file");
            }
            if ("postgresql".equals(address.getScheme())
                    && address.getHost() != null
                    && address.getRawQuery() == null
                    && address.getPath().length() > 1) {
                return address;
            }
        } catch (URISyntaxException wrong) {
            throw badAddress();
        }
        throw badAddress();
    }

    private static CommandFailure badAddress() {
        return CommandFailure.refused("--store must be like postgresql://user@host:5432/database, without parameters");
    }

    private Optional<String> password(Map<String, String> environment) {
        if (passwordFile == null) {
            return Optional.ofNullable(environment.get(PASSWORD)).filter(value -> !value.isEmpty());
        }
        try {
            return Optional.of(Files.readString(passwordFile).stripTrailing());
        } catch (IOException unreadable) {
            throw CommandFailure.refused("--store-password-file " + passwordFile + " cannot be read ("
                    + Words.oneLine(unreadable.toString()) + "); check the path and its rights");
        }
    }

    private LeaseTerms terms() {
        if (lease == null) {
            return LeaseTerms.DEFAULTS;
        }
        Optional<Duration> wished = DurationText.parse(lease);
        try {
            return new LeaseTerms(wished.orElse(Duration.ZERO));
        } catch (IllegalArgumentException outOfRange) {
            throw CommandFailure.refused(
                    "--lease must be a duration from 6s, which leaves agents time to end, to 5m, was '"
                            + Words.oneLine(lease) + "'");
        }
    }

    private List<Path> shared() {
        List<Path> all = roots == null
                ? List.of()
                : roots.stream().map(root -> root.toAbsolutePath().normalize()).toList();
        for (Path root : all) {
            if (!Files.isDirectory(root)) {
                throw CommandFailure.refused("--shared-root " + root + " is no folder; mount it, or name another one");
            }
        }
        return all;
    }
}
