package dev.loopkeeper.embed;

import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.handler.RegisteredHandlers;
import dev.loopkeeper.handler.StepHandler;
import dev.loopkeeper.manifest.Authority;
import dev.loopkeeper.process.InheritedEnvironment;
import dev.loopkeeper.step.ErrorCategory;
import dev.loopkeeper.step.LogLimit;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Configures a {@link Loopkeeper}. Immutable: {@code LoopkeeperOptions.of(folder).maxRuns(4)}. */
public final class LoopkeeperOptions {
    final Values values;

    private LoopkeeperOptions(Values values) {
        this.values = values;
    }

    /**
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
     * @param scheduledIn folders in which the runs of schedules must work; none, the default: anywhere
     */
    @RecordBuilder
    @RecordBuilder.Options(
            builderClassModifiers = {},
            enableWither = false)
    record Values(
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
            boolean schedules,
            List<Path> scheduledIn) {
        Values {
            publicUrl.filter(url -> !mayLead(url)).ifPresent(url -> {
                throw new IllegalArgumentException(
                        "publicUrl must be an http or https URL with a host and without query or"
                                + " fragment, such as https://loops.example, was '" + url + "'");
            });
            if (maxRuns < 0) {
                throw new IllegalArgumentException("maxRuns must be 0 or more, was " + maxRuns);
            }
            keepLogs.filter(keep -> keep.isNegative() || keep.isZero()).ifPresent(keep -> {
                throw new IllegalArgumentException("keepLogs must be above zero, was " + keep);
            });
        }
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
        return new LoopkeeperOptions(new Values(
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
                true,
                List.of()));
    }

    /** The data folder, as an absolute path. */
    public Path dataFolder() {
        return values.dataFolder;
    }

    /** The run slots; 0: no limit. */
    public int maxRuns() {
        return values.maxRuns;
    }

    /** The agents in Java. */
    public RegisteredHandlers handlers() {
        return values.handlers;
    }

    private LoopkeeperOptions with(UnaryOperator<LoopkeeperOptionsValuesBuilder> change) {
        return new LoopkeeperOptions(
                change.apply(LoopkeeperOptionsValuesBuilder.builder(values)).build());
    }

    /** Adds a part, e.g. the HTTP gateway. */
    public LoopkeeperOptions with(LoopkeeperPart part) {
        return with(copy -> copy.parts(Copies.plus(values.parts, part)));
    }

    /** Sets the number of runs that may be active at once; 0: no limit. Refuses a negative one. */
    public LoopkeeperOptions maxRuns(int runs) {
        return with(copy -> copy.maxRuns(runs));
    }

    /** Sets the environment that agents inherit. */
    public LoopkeeperOptions inheriting(InheritedEnvironment other) {
        return with(copy -> copy.inherited(other));
    }

    /** Sets the limit for logs. */
    public LoopkeeperOptions logLimit(LogLimit limit) {
        return with(copy -> copy.logLimit(limit));
    }

    /** Sets how long logs are kept after the end of their run, above zero; refuses others. */
    public LoopkeeperOptions keepLogs(Duration keep) {
        return with(copy -> copy.keepLogs(Optional.of(keep)));
    }

    /** Sets the store. */
    public LoopkeeperOptions store(StoreOpener opener) {
        return with(copy -> copy.store(opener));
    }

    /** Makes this one of several members that share the store. */
    public LoopkeeperOptions member(Membership other) {
        return with(copy -> copy.membership(other));
    }

    /** Sets the dashboard URL for links in notifications. */
    public LoopkeeperOptions publicUrl(String url) {
        return with(copy -> copy.publicUrl(Optional.of(url)));
    }

    /** Adds an agent in Java, which a manifest names by {@code handler}; another one of that name is replaced. */
    public LoopkeeperOptions handler(String name, StepHandler handler) {
        return with(copy -> copy.handlers(values.handlers.with(name, handler)));
    }

    /** Sets the category of a handler's exceptions; empty: the text of the exception decides. */
    public LoopkeeperOptions errors(Function<Throwable, Optional<ErrorCategory>> categories) {
        return with(copy -> copy.handlers(new RegisteredHandlers(values.handlers.byName(), categories)));
    }

    /** Sets whether the schedules of the policy fire. */
    public LoopkeeperOptions schedules(boolean fire) {
        return with(copy -> copy.schedules(fire));
    }

    /** Sets the folders in which the runs of schedules must work. */
    public LoopkeeperOptions scheduledIn(List<Path> folders) {
        return with(copy -> copy.scheduledIn(List.copyOf(folders)));
    }
}
