package dev.loopkeeper.embed;

import dev.loopkeeper.handler.RegisteredHandlers;
import dev.loopkeeper.handler.StepHandler;
import dev.loopkeeper.manifest.Authority;
import dev.loopkeeper.process.InheritedEnvironment;
import dev.loopkeeper.step.ErrorCategory;
import dev.loopkeeper.step.LogLimit;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Configures a {@link Loopkeeper}.
 *
 * @param dataFolder created where it is missing; one process owns it at a time
 * @param parts further parts, started in this order; e.g. the HTTP gateway
 * @param maxRuns run slots, 0 or more; further runs are {@code queued}; 0 = no limit, the default
 * @param inherited what agents inherit of this process's environment; default everything but {@code LOOPKEEPER_*}
 * @param logLimit how much of a step's output is kept; default 1 GiB
 * @param keepLogs how long logs stay after the end of their run, above zero; absent: for ever, the default
 * @param store where runs are stored; default one SQLite file in the data folder
 * @param membership which of the store's runs are executed; default all
 * @param publicUrl dashboard URL for links in notifications, e.g. {@code https://loops.example}; absent, the default:
 *     no links. A value that is not an http or https URL with a host, or has a query or fragment, is refused with
 *     {@link IllegalArgumentException}
 * @param handlers agents in Java, and how their exceptions are classified; default none
 * @param schedules whether the schedules of the policy fire; default true
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
        Optional<String> publicUrl,
        RegisteredHandlers handlers,
        boolean schedules) {
    public LoopkeeperOptions {
        publicUrl.filter(url -> !mayLead(url)).ifPresent(url -> {
            throw new IllegalArgumentException("publicUrl must be an http or https URL with a host and without query or"
                    + " fragment, such as https://loops.example, was '" + url + "'");
        });
    }

    /** Whether the path of a run's page may be appended to this URL. */
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

    /** Returns the defaults for this data folder, without further parts. */
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
                Optional.empty(),
                RegisteredHandlers.NONE,
                true);
    }

    /** Adds a part, e.g. the HTTP gateway. */
    public LoopkeeperOptions with(LoopkeeperPart part) {
        List<LoopkeeperPart> more =
                Stream.concat(parts.stream(), Stream.of(part)).toList();
        return new LoopkeeperOptions(
                dataFolder,
                more,
                maxRuns,
                inherited,
                logLimit,
                keepLogs,
                store,
                membership,
                publicUrl,
                handlers,
                schedules);
    }

    /** Sets the number of runs that may be active at once. */
    public LoopkeeperOptions maxRuns(int runs) {
        return new LoopkeeperOptions(
                dataFolder,
                parts,
                runs,
                inherited,
                logLimit,
                keepLogs,
                store,
                membership,
                publicUrl,
                handlers,
                schedules);
    }

    /** Sets the environment that agents inherit. */
    public LoopkeeperOptions inheriting(InheritedEnvironment other) {
        return new LoopkeeperOptions(
                dataFolder,
                parts,
                maxRuns,
                other,
                logLimit,
                keepLogs,
                store,
                membership,
                publicUrl,
                handlers,
                schedules);
    }

    /** Sets the limit for logs. */
    public LoopkeeperOptions logLimit(LogLimit limit) {
        return new LoopkeeperOptions(
                dataFolder,
                parts,
                maxRuns,
                inherited,
                limit,
                keepLogs,
                store,
                membership,
                publicUrl,
                handlers,
                schedules);
    }

    /** Sets how long logs are kept after the end of their run. */
    public LoopkeeperOptions keepLogs(Duration keep) {
        return new LoopkeeperOptions(
                dataFolder,
                parts,
                maxRuns,
                inherited,
                logLimit,
                Optional.of(keep),
                store,
                membership,
                publicUrl,
                handlers,
                schedules);
    }

    /** Sets the store. */
    public LoopkeeperOptions store(StoreOpener opener) {
        return new LoopkeeperOptions(
                dataFolder,
                parts,
                maxRuns,
                inherited,
                logLimit,
                keepLogs,
                opener,
                membership,
                publicUrl,
                handlers,
                schedules);
    }

    /** Makes this one of several members that share the store. */
    public LoopkeeperOptions member(Membership other) {
        return new LoopkeeperOptions(
                dataFolder,
                parts,
                maxRuns,
                inherited,
                logLimit,
                keepLogs,
                store,
                other,
                publicUrl,
                handlers,
                schedules);
    }

    /** Sets the dashboard URL for links in notifications. */
    public LoopkeeperOptions publicUrl(String url) {
        return new LoopkeeperOptions(
                dataFolder,
                parts,
                maxRuns,
                inherited,
                logLimit,
                keepLogs,
                store,
                membership,
                Optional.of(url),
                handlers,
                schedules);
    }

    /** Adds an agent in Java, which a manifest names by {@code handler}; another one of that name is replaced. */
    public LoopkeeperOptions handler(String name, StepHandler handler) {
        return handling(handlers.with(name, handler));
    }

    /** Sets the category of a handler's exceptions; empty: the text of the exception decides. */
    public LoopkeeperOptions errors(Function<Throwable, Optional<ErrorCategory>> categories) {
        return handling(new RegisteredHandlers(handlers.byName(), categories));
    }

    private LoopkeeperOptions handling(RegisteredHandlers others) {
        return new LoopkeeperOptions(
                dataFolder,
                parts,
                maxRuns,
                inherited,
                logLimit,
                keepLogs,
                store,
                membership,
                publicUrl,
                others,
                schedules);
    }

    /** Sets whether the schedules of the policy fire. */
    public LoopkeeperOptions schedules(boolean fire) {
        return new LoopkeeperOptions(
                dataFolder,
                parts,
                maxRuns,
                inherited,
                logLimit,
                keepLogs,
                store,
                membership,
                publicUrl,
                handlers,
                fire);
    }
}
