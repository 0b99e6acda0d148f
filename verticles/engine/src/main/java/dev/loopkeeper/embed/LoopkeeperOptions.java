package dev.loopkeeper.embed;

import dev.loopkeeper.manifest.Authority;
import dev.loopkeeper.process.InheritedEnvironment;
import dev.loopkeeper.step.LogLimit;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What to deploy.
 *
 * @param dataFolder made where it is missing; one process owns it at a time
 * @param parts what is started with it, in this order; e.g. the HTTP gateway
 * @param maxRuns how many runs may be under way at once, more wait as {@code queued}; 0 = no limit, the default
 * @param inherited what agents inherit of this process's environment; default everything but {@code LOOPKEEPER_*}
 * @param logLimit how much is kept of what a step prints; default 1 GiB
 * @param keepLogs how long the logs of steps stay after the end of their run; absent: for ever, the default
 * @param store where runs are kept; default one SQLite file in the data folder
 * @param membership which of the store's runs are carried out; default all
 * @param publicUrl where people reach the dashboard, e.g. {@code https://loops.example}, for links in notifications;
 *     absent, the default: they have none. What is no http or https URL with a host, or has a query or fragment, is refused
 *     with {@link IllegalArgumentException}
 */
public record LoopkeeperOptions(
        Path dataFolder,
        List<LoopkeeperPart> parts,
        int maxRuns,
        InheritedEnvironment inherited,
        LogLimit logLimit,
        Optional<Duration> keepLogs,
        StoreOpener store,
        Membership membership,
        Optional<String> publicUrl) {
    public LoopkeeperOptions {
        publicUrl.filter(url -> !mayLead(url)).ifPresent(url -> {
            throw new IllegalArgumentException("publicUrl must be an http or https URL with a host and without query or"
                    + " fragment, such as https://loops.example, was '" + url + "'");
        });
    }

    /** Whether the page of a run may be put behind it. */
    private static boolean mayLead(String url) {
        try {
            URI read = new URI(url);
            return ("http".equalsIgnoreCase(read.getScheme()) || "https".equalsIgnoreCase(read.getScheme()))
                    && Authority.of(read).isPresent()
                    && read.getRawQuery() == null
                    && read.getRawFragment() == null;
        } catch (URISyntaxException none) {
            return false;
        }
    }

    /** The runtime without any further part, on this data folder. */
    public static LoopkeeperOptions of(Path dataFolder) {
        return new LoopkeeperOptions(
                dataFolder.toAbsolutePath().normalize(),
                List.of(),
                0,
                InheritedEnvironment.ALL,
                LogLimit.DEFAULT,
                Optional.empty(),
                OpenFolder.EMBEDDED,
                Membership.alone(),
                Optional.empty());
    }

    /** The same with one more part, e.g. the HTTP gateway. */
    public LoopkeeperOptions with(LoopkeeperPart part) {
        List<LoopkeeperPart> more =
                Stream.concat(parts.stream(), Stream.of(part)).toList();
        return new LoopkeeperOptions(
                dataFolder, more, maxRuns, inherited, logLimit, keepLogs, store, membership, publicUrl);
    }

    /** The same with so many runs at once. */
    public LoopkeeperOptions maxRuns(int runs) {
        return new LoopkeeperOptions(
                dataFolder, parts, runs, inherited, logLimit, keepLogs, store, membership, publicUrl);
    }

    /** The same with agents that inherit this. */
    public LoopkeeperOptions inheriting(InheritedEnvironment other) {
        return new LoopkeeperOptions(
                dataFolder, parts, maxRuns, other, logLimit, keepLogs, store, membership, publicUrl);
    }

    /** The same with another limit for logs. */
    public LoopkeeperOptions logLimit(LogLimit limit) {
        return new LoopkeeperOptions(
                dataFolder, parts, maxRuns, inherited, limit, keepLogs, store, membership, publicUrl);
    }

    /** The same with logs that go so long after their run ended. */
    public LoopkeeperOptions keepLogs(Duration keep) {
        return new LoopkeeperOptions(
                dataFolder, parts, maxRuns, inherited, logLimit, Optional.of(keep), store, membership, publicUrl);
    }

    /** The same with runs that are kept elsewhere. */
    public LoopkeeperOptions store(StoreOpener opener) {
        return new LoopkeeperOptions(
                dataFolder, parts, maxRuns, inherited, logLimit, keepLogs, opener, membership, publicUrl);
    }

    /** The same as one of several that share the store. */
    public LoopkeeperOptions member(Membership other) {
        return new LoopkeeperOptions(
                dataFolder, parts, maxRuns, inherited, logLimit, keepLogs, store, other, publicUrl);
    }

    /** The same with links in notifications that lead here. */
    public LoopkeeperOptions publicUrl(String url) {
        return new LoopkeeperOptions(
                dataFolder, parts, maxRuns, inherited, logLimit, keepLogs, store, membership, Optional.of(url));
    }
}
