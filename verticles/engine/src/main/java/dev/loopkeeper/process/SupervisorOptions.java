package dev.loopkeeper.process;

import dev.loopkeeper.process.tree.TreeContext;
import dev.loopkeeper.step.LogLimit;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Configures the supervision of processes.
 *
 * @param data the data folder, absolute
 * @param killPatience how long after KILL a process may live before it is treated as a survivor; default 5 s
 * @param recordPatience how long a launcher may live on behind its agent without recording the end; default 3 s
 * @param maxPoll the longest pause between two polls of an agent that begins or ends; 10 ms to 1 s, default 100 ms
 * @param workers threads for blocking work; 1 to 64, default 8
 * @param logLimit how much is kept of what a step prints; default 1 GiB
 * @param inherited what agents inherit of the runtime's environment; default everything
 */
public record SupervisorOptions(
        Path data,
        Duration killPatience,
        Duration recordPatience,
        Duration maxPoll,
        int workers,
        LogLimit logLimit,
        InheritedEnvironment inherited) {
    private static final Duration SHORTEST_POLL = Duration.ofMillis(10);
    private static final Duration LONGEST_POLL = Duration.ofSeconds(1);
    private static final int ADOPTED = 10;
    private static final int RELAXED = 50;
    private static final int MOST_WORKERS = 64;

    public SupervisorOptions {
        requireAbsolute(data);
        requirePositive("killPatience", killPatience);
        requirePositive("recordPatience", recordPatience);
        if (maxPoll.compareTo(SHORTEST_POLL) < 0 || maxPoll.compareTo(LONGEST_POLL) > 0) {
            throw new IllegalArgumentException("maxPoll must be 10 ms to 1 s, was " + maxPoll);
        }
        if (workers < 1 || workers > MOST_WORKERS) {
            throw new IllegalArgumentException("workers must be 1 to 64, was " + workers);
        }
    }

    /** The defaults, for this data folder. */
    public static SupervisorOptions of(Path data) {
        return new SupervisorOptions(
                data.toAbsolutePath().normalize(),
                TreeContext.KILL_PATIENCE,
                Duration.ofSeconds(3),
                Duration.ofMillis(100),
                8,
                LogLimit.DEFAULT,
                InheritedEnvironment.ALL);
    }

    /**
     * The longest pause between two polls of an agent whose exit is reported, by default 5 s: polls only find a launcher
     * that hangs after its agent.
     */
    Duration relaxedPoll() {
        return maxPoll.multipliedBy(RELAXED);
    }

    /** The longest pause between two polls of an agent that an earlier runtime launched, by default 1 s. */
    Duration adoptedPoll() {
        return maxPoll.multipliedBy(ADOPTED);
    }

    /** The same with another limit for logs. */
    public SupervisorOptions logLimit(LogLimit limit) {
        return new SupervisorOptions(data, killPatience, recordPatience, maxPoll, workers, limit, inherited);
    }

    /** The same with agents that inherit this. */
    public SupervisorOptions inheriting(InheritedEnvironment other) {
        return new SupervisorOptions(data, killPatience, recordPatience, maxPoll, workers, logLimit, other);
    }

    private static void requireAbsolute(Path data) {
        if (!data.isAbsolute()) {
            throw new IllegalArgumentException("data must be an absolute path, was " + data);
        }
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be > 0, was " + value);
        }
    }
}
