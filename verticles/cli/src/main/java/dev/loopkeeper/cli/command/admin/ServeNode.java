package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cluster.ClusterNode;
import dev.loopkeeper.cluster.ClusterOptions;
import dev.loopkeeper.cluster.HazelcastBus;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.manifest.read.DurationText;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.store.postgres.PostgresOptions;
import dev.loopkeeper.store.postgres.StoreTls;
import dev.loopkeeper.work.HostName;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The node that the options of {@link ServeCluster} configure. It connects only when it starts. */
record ServeNode(
        String store,
        Optional<Path> passwordFile,
        Optional<Path> authorities,
        boolean insecure,
        Optional<String> node,
        List<Path> roots,
        Optional<String> lease,
        Optional<ServeBus> bus) {
    private static final String PASSWORD = "LOOPKEEPER_STORE_PASSWORD";

    LoopkeeperOptions member(
            Vertx vertx, LoopkeeperOptions options, Map<String, String> environment, Supplier<String> url) {
        ClusterOptions node = options(environment, url, options.maxRuns());
        return bus.map(wanted -> ClusterNode.member(vertx, options, node, new HazelcastBus(wanted.options())))
                .orElseGet(() -> ClusterNode.member(vertx, options, node));
    }

    void check(Map<String, String> environment) {
        Object unused = options(environment, () -> "", 0);
        bus.ifPresent(wanted -> {
            Object unusedBus = wanted.options();
        });
    }

    /** Returns the options of the node; fails with {@link CommandFailure} if they are invalid. */
    ClusterOptions options(Map<String, String> environment, Supplier<String> url, int places) {
        return new ClusterOptions(name(environment), database(environment), terms(), shared(), url, places);
    }

    private String name(Map<String, String> environment) {
        String name = node.orElseGet(() -> HostName.of(environment));
        if (!name.matches(ClusterOptions.NAME)) {
            throw CommandFailure.refused(
                    "--node must be 1 to 63 letters, digits, '.', '_' and '-', was '" + Words.oneLine(name) + "'");
        }
        return name;
    }

    private PostgresOptions database(Map<String, String> environment) {
        PostgresOptions options = PostgresOptions.of(address().toString()).password(password(environment));
        if (insecure) {
            if (authorities.isPresent()) {
                throw CommandFailure.refused("--store-ca and --insecure-store contradict each other; leave one out");
            }
            return options.tls(Optional.empty());
        }
        return authorities.map(file -> options.tls(Optional.of(trusting(file)))).orElse(options);
    }

    private static StoreTls trusting(Path file) {
        try (InputStream content = Files.newInputStream(file)) {
            if (!CertificateFactory.getInstance("X.509")
                    .generateCertificates(content)
                    .isEmpty()) {
                return StoreTls.of(file.toAbsolutePath());
            }
        } catch (IOException unreadable) {
            throw CommandFailure.refused("--store-ca " + file + " cannot be read ("
                    + Words.oneLine(unreadable.toString()) + "); check the path and its rights");
        } catch (CertificateException malformed) {
            throw noCertificate(file);
        }
        throw noCertificate(file);
    }

    private static CommandFailure noCertificate(Path file) {
        return CommandFailure.refused("--store-ca " + file + " contains no certificate; name a PEM file with"
                + " -----BEGIN CERTIFICATE-----");
    }

    /** Parses the URL of the store. Refusals do not repeat it, as it may contain a password. */
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
        if (passwordFile.isEmpty()) {
            return Optional.ofNullable(environment.get(PASSWORD)).filter(value -> !value.isEmpty());
        }
        try {
            String password = Files.readString(passwordFile.get()).stripTrailing();
            if (password.isEmpty()) {
                throw CommandFailure.refused("--store-password-file " + passwordFile.get()
                        + " is empty; put the password into it, or leave the option out if the database requires none");
            }
            return Optional.of(password);
        } catch (IOException unreadable) {
            throw CommandFailure.refused("--store-password-file " + passwordFile.get() + " cannot be read ("
                    + Words.oneLine(unreadable.toString()) + "); check the path and its rights");
        }
    }

    private LeaseTerms terms() {
        if (lease.isEmpty()) {
            return LeaseTerms.DEFAULTS;
        }
        Optional<Duration> parsed = DurationText.parse(lease.get());
        try {
            return new LeaseTerms(parsed.orElse(Duration.ZERO));
        } catch (IllegalArgumentException outOfRange) {
            throw CommandFailure.refused(
                    "--lease must be a duration from 6s to 5m, was '" + Words.oneLine(lease.get()) + "'");
        }
    }

    private List<Path> shared() {
        List<Path> all =
                roots.stream().map(root -> root.toAbsolutePath().normalize()).toList();
        for (Path root : all) {
            if (!Files.isDirectory(root)) {
                throw CommandFailure.refused(
                        "--shared-root " + root + " is not a folder; mount the folder, or name another one");
            }
        }
        return all;
    }
}
