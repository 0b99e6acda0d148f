package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cluster.ClusterNode;
import dev.loopkeeper.cluster.ClusterOptions;
import dev.loopkeeper.cluster.HazelcastBus;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.manifest.read.DurationText;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.work.HostName;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The node that the options of {@link ServeCluster} configure. It connects only when it starts. */
record ServeNode(
        ServeStore store, Optional<String> node, List<Path> roots, Optional<String> lease, Optional<ServeBus> bus) {
    LoopkeeperOptions member(
            Vertx vertx, LoopkeeperOptions options, Map<String, String> environment, Supplier<String> url) {
        ClusterOptions node = options(environment, url, options.maxRuns());
        return bus.map(wanted -> ClusterNode.member(vertx, options, node, new HazelcastBus(wanted.options(true))))
                .orElseGet(() -> ClusterNode.member(vertx, options, node));
    }

    void check(Map<String, String> environment) {
        Object unused = options(environment, () -> "", 0);
        bus.ifPresent(wanted -> {
            Object unusedBus = wanted.options(true);
        });
    }

    /** Returns the options of the node; fails with {@link CommandFailure} if they are invalid. */
    ClusterOptions options(Map<String, String> environment, Supplier<String> url, int places) {
        return new ClusterOptions(name(environment), store.options(environment), terms(), shared(), url, places);
    }

    private String name(Map<String, String> environment) {
        String name = node.orElseGet(() -> HostName.of(environment));
        if (!name.matches(ClusterOptions.NAME)) {
            throw CommandFailure.refused(
                    "--node must be 1 to 63 letters, digits, '.', '_' and '-', was '" + Words.oneLine(name) + "'");
        }
        return name;
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
