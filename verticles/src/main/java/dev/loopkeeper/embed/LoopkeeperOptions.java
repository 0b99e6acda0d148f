package dev.loopkeeper.embed;

import dev.loopkeeper.gateway.GatewayOptions;
import dev.loopkeeper.process.InheritedEnvironment;
import dev.loopkeeper.step.LogLimit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What to deploy.
 *
 * @param dataFolder made where it is missing; one process owns it at a time
 * @param gateway where HTTP is served; absent: not at all
 * @param maxRuns how many runs may be under way at once, more wait as {@code queued}; 0 = no limit, the default
 * @param inherited what agents inherit of this process's environment; default everything but {@code LOOPKEEPER_*}
 * @param logLimit how much is kept of what a step prints; default 1 GiB
 * @param keepLogs how long the logs of steps stay after the end of their run; absent: for ever, the default
 */
public record LoopkeeperOptions(
        Path dataFolder,
        Optional<GatewayOptions> gateway,
        int maxRuns,
        InheritedEnvironment inherited,
        LogLimit logLimit,
        Optional<Duration> keepLogs) {
    /** Everything but HTTP, on this data folder. */
    public static LoopkeeperOptions of(Path dataFolder) {
        return new LoopkeeperOptions(
                dataFolder.toAbsolutePath().normalize(),
                Optional.empty(),
                0,
                InheritedEnvironment.ALL,
                LogLimit.DEFAULT,
                Optional.empty());
    }

    /** The same with HTTP. */
    public LoopkeeperOptions serving(GatewayOptions where) {
        return new LoopkeeperOptions(dataFolder, Optional.of(where), maxRuns, inherited, logLimit, keepLogs);
    }

    /** The same with so many runs at once. */
    public LoopkeeperOptions maxRuns(int runs) {
        return new LoopkeeperOptions(dataFolder, gateway, runs, inherited, logLimit, keepLogs);
    }

    /** The same with agents that inherit this. */
    public LoopkeeperOptions inheriting(InheritedEnvironment other) {
        return new LoopkeeperOptions(dataFolder, gateway, maxRuns, other, logLimit, keepLogs);
    }

    /** The same with another limit for logs. */
    public LoopkeeperOptions logLimit(LogLimit limit) {
        return new LoopkeeperOptions(dataFolder, gateway, maxRuns, inherited, limit, keepLogs);
    }

    /** The same with logs that go so long after their run ended. */
    public LoopkeeperOptions keepLogs(Duration keep) {
        return new LoopkeeperOptions(dataFolder, gateway, maxRuns, inherited, logLimit, Optional.of(keep));
    }
}
