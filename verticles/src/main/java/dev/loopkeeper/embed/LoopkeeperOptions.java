package dev.loopkeeper.embed;

import dev.loopkeeper.gateway.GatewayOptions;
import dev.loopkeeper.process.InheritedEnvironment;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What to deploy.
 *
 * @param dataFolder made where it is missing; one process owns it at a time
 * @param gateway where HTTP is served; absent: not at all
 * @param maxRuns how many runs may be under way at once, more wait as {@code queued}; 0 = no limit, the default
 * @param inherited what agents inherit of this process's environment; default everything but {@code LOOPKEEPER_*}
 */
public record LoopkeeperOptions(
        Path dataFolder, Optional<GatewayOptions> gateway, int maxRuns, InheritedEnvironment inherited) {
    /** Everything but HTTP, on this data folder. */
    public static LoopkeeperOptions of(Path dataFolder) {
        return new LoopkeeperOptions(
                dataFolder.toAbsolutePath().normalize(), Optional.empty(), 0, InheritedEnvironment.ALL);
    }

    /** The same with HTTP. */
    public LoopkeeperOptions serving(GatewayOptions where) {
        return new LoopkeeperOptions(dataFolder, Optional.of(where), maxRuns, inherited);
    }

    /** The same with so many runs at once. */
    public LoopkeeperOptions maxRuns(int runs) {
        return new LoopkeeperOptions(dataFolder, gateway, runs, inherited);
    }

    /** The same with agents that inherit this. */
    public LoopkeeperOptions inheriting(InheritedEnvironment other) {
        return new LoopkeeperOptions(dataFolder, gateway, maxRuns, other);
    }
}
