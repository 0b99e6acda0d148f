package dev.loopkeeper.process;

import java.util.Optional;

/** Describes which runtime started a step's launcher, and how the exit of the agent is detected. */
sealed interface LauncherOwner {
    /** An earlier runtime may have started it; the exit of its agent can be watched. */
    record Earlier() implements LauncherOwner {}

    /** An earlier runtime started it, and the exit of its agent is watched. */
    record Watched(Runnable unwatch) implements LauncherOwner {}

    /** An earlier runtime started it, and the watch has ended. */
    record Exited() implements LauncherOwner {}

    /**
     * This runtime started it.
     *
     * @param launcher kept reachable: when its input closes, a launcher that follows the runtime ends the agent
     */
    record Here(StartedLauncher launcher) implements LauncherOwner {}

    /** Returns whether the launcher lives; empty where this runtime did not start it. */
    default Optional<Boolean> launcherLives() {
        return this instanceof Here here ? Optional.of(here.launcher().lives()) : Optional.empty();
    }
}
